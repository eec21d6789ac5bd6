import type { messages as english } from '../en/settings.ts'

export const messages: typeof english = () => ({
  settings: {
    title: 'Ajustes',
    general: 'Espacio de trabajo',
    name: 'Nombre',
    id: 'ID',
    idHint: 'Las solicitudes de API lo envían como x-signpost-workspace.',
    copyId: 'Copiar ID',
    timezone: 'Zona horaria',
    timezoneHint: 'Para los miembros que no hayan elegido la suya.',
    privacySignals: 'Respetar las señales de privacidad',
    privacySignalsHint:
      'Los navegadores que rechazan el rastreo (Sec-GPC, DNT) cuentan como clics, pero no como visitantes.',
    brand: 'Marca',
    brandExplain:
      'En los dominios propios del espacio de trabajo, los visitantes la ven en páginas como la de un enlace caducado o la de la contraseña. El dominio compartido no la muestra.',
    saveBrand: 'Guardar marca',
    logo: 'Logotipo',
    brandColor: 'Color',
    brandColorHint: 'Por ejemplo, #0b5e82, para botones y enlaces.',
    saved: 'Guardado.',
    plan: 'Plan',
    role: 'Rol propio',
    danger: 'Zona de peligro',
    deleteTitle: (name) => `¿Eliminar ${name}?`,
    delete: 'Eliminar espacio de trabajo',
    deleteExplain:
      'Sus enlaces dejan de funcionar al momento. Los enlaces, clics, webhooks, claves y registros se eliminan para siempre.',
    deleted: (name) => `${name} eliminado.`,
  },
})
