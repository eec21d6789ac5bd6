import { formatNumber } from '../kit/locale.ts'
import { text as shared } from './en.ts'
import { plural } from './plural.ts'

const LISTED = 5

/** One decimal below ten. */
const short = (value: number) =>
  formatNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))

/** Texts of the library of images, and of what chooses one. */
export const text = {
  ...shared,
  media: {
    title: 'Images',
    count: (count: number, megabytes: number) =>
      `${plural(count, 'image', 'images')}, ${short(megabytes)} MB`,
    storage: (used: number, limit: number) =>
      `${short(used)} of the ${formatNumber(limit)} MB of the plan are used.`,
    storageLabel: 'Storage',
    upload: 'Upload',
    uploads: 'Uploads',
    dismiss: (name: string) => `Dismiss ${name}`,
    progressOf: (name: string) => `Progress of ${name}`,
    tooLarge: 'The file is larger than 5 MiB.',
    drop: 'Drop PNG, JPEG, GIF, WebP or AVIF files of at most 5 MiB here.',
    types: 'PNG, JPEG, GIF, WebP or AVIF files of at most 5 MiB.',
    search: 'Search the names of images',
    none: 'No images yet',
    noneExplain: 'Upload images for the previews of links, for their QR codes, and for pages.',
    noneForViewers: 'Members upload images for the previews and QR codes of links, and for pages.',
    noneFound: 'No image has this name',
    facts: (width: number, height: number, kilobytes: number) =>
      `${width} × ${height}, ${formatNumber(Math.ceil(kilobytes))} kB`,
    animated: 'animated',
    unused: 'Not in use',
    usedBy: 'In use by',
    andMore: (count: number) => `and ${formatNumber(count)} more`,
    download: (name: string) => `Download ${name}`,
    delete: 'Delete',
    delete_: (name: string) => `Delete ${name}`,
    deleteAnyway: 'Delete it everywhere',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteUnused: 'Nothing shows this image.',
    deleteUsed: (names: readonly string[]) =>
      `It is shown by ${names.slice(0, LISTED).join(', ')}${names.length > LISTED ? ' and others' : ''}. The deletion takes it off them at once.`,
    deleted: (name: string) => `Deleted ${name}.`,
    choose: 'Choose an image',
    chooseOther: 'Choose another image',
    remove: 'Remove',
    chosenFor: (label: string) => `${label}: the chosen image`,
  },
}
