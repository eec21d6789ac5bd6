import type { Tools } from '../load.ts'

/** Texts of the library of images, and of what chooses one. */
export const messages = ({ plural, formatNumber }: Tools) => ({
  media: {
    title: 'Images',
    count: (count: number, megabytes: string) =>
      `${plural(count, { one: '# image', other: '# images' })}, ${megabytes} MB`,
    storage: (used: string, limit: number) => `${used} of ${formatNumber(limit)} MB used.`,
    storageLabel: 'Storage',
    upload: 'Upload',
    uploads: 'Uploads',
    dismiss: (name: string) => `Dismiss ${name}`,
    progressOf: (name: string) => `Progress of ${name}`,
    tooLarge: 'The file is larger than 5 MiB.',
    drop: 'Drop PNG, JPEG, GIF, WebP or AVIF files of up to 5 MiB here.',
    types: 'PNG, JPEG, GIF, WebP or AVIF files of up to 5 MiB.',
    search: 'Search images by name',
    none: 'No images yet',
    noneExplain: 'Upload images for social previews, QR codes and bio pages.',
    noneForViewers: 'Members can upload images for social previews, QR codes and bio pages.',
    noneFound: 'No matching images',
    facts: (width: number, height: number, kilobytes: number) =>
      `${width} × ${height}, ${formatNumber(Math.ceil(kilobytes))} kB`,
    animated: 'animated',
    unused: 'Not in use',
    usedBy: 'In use by',
    andMore: (count: number) => `${formatNumber(count)} more`,
    download: (name: string) => `Download ${name}`,
    delete: 'Delete',
    delete_: (name: string) => `Delete ${name}`,
    deleteAnyway: 'Delete everywhere',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteUnused: 'It is not in use.',
    deleteUsed: (names: string) =>
      `It is used by ${names}. Deleting it removes it from them at once.`,
    deleted: (name: string) => `Deleted ${name}.`,
    choose: 'Choose an image',
    chooseOther: 'Choose another image',
    remove: 'Remove',
    chosenFor: (label: string) => `${label}: chosen image`,
  },
})
