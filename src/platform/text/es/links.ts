import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Enlace no encontrado',
      text: 'Comprueba si hay erratas en la dirección. También es posible que el enlace se haya desactivado o eliminado.',
    },
    pending: {
      title: 'Este enlace aún no está disponible',
      text: 'Vuelve más tarde o pregunta a quien lo envió cuándo se abre.',
    },
    expired: {
      title: 'Este enlace ha caducado',
      text: 'Funcionó hasta una fecha elegida por su propietario. Pide uno nuevo a quien lo envió.',
    },
    exhausted: {
      title: 'Este enlace ha alcanzado su límite de clics',
      text: 'Solo podía abrirse un número limitado de veces. Pide uno nuevo a quien lo envió.',
    },
    suspended: {
      title: 'Este enlace está fuera de servicio',
      text: 'La cuenta a la que pertenece no está activa. Pregunta a quien lo envió adónde debía llevar.',
    },
    blocked: {
      title: 'Este enlace ha sido bloqueado',
      text: 'El operador de este servicio lo ha retirado. Si un mensaje te ha traído aquí, ten cuidado con todo lo demás que pida.',
    },
    noPreview: {
      title: 'No hay vista previa de esta dirección',
      text: 'O no existe ese enlace, o no muestra adónde lleva.',
    },
    malformed: {
      title: 'Esta dirección no es válida',
      text: 'Contiene caracteres que ningún enlace tiene. Asegúrate de haberla copiado entera.',
    },
    tooLong: {
      title: 'Esta dirección es demasiado larga',
      text: 'Asegúrate de no haber copiado nada más junto con el enlace.',
    },
    unavailable: {
      title: 'Inténtalo de nuevo',
      text: 'Ahora mismo no podemos consultar este enlace. Inténtalo de nuevo en unos segundos.',
    },
    broken: {
      title: 'Algo ha salido mal',
      text: 'El problema es nuestro. Inténtalo de nuevo en unos segundos.',
    },
  },
  error: 'Error',
  reportAbuse: 'Denunciar abuso',
  password: {
    title: 'Este enlace requiere una contraseña',
    intro: 'Introduce la contraseña que venía con el enlace.',
    wrong: 'La contraseña no es correcta. Compruébala e inténtalo de nuevo.',
    label: 'Contraseña',
    open: 'Abrir enlace',
    cookie: 'Una cookie mantiene el enlace abierto en este navegador durante 12 horas.',
  },
  attempts: {
    title: 'Demasiados intentos',
    wait: (time) => `La contraseña no se ha comprobado. Inténtalo de nuevo en ${time}.`,
    back: 'Volver al enlace',
  },
  app: {
    title: 'Este enlace abre una aplicación',
    without: (host) => `Si no tienes la aplicación, continúa en ${host}.`,
    open: 'Abrir la aplicación',
    browser: 'Continuar en el navegador',
  },
  inspection: {
    title: 'Este enlace lleva a',
    conditional: 'Puede llevar a otro sitio según el dispositivo, el lugar o la hora.',
    mixedScript:
      'Cuidado: el nombre del sitio de esta dirección mezcla alfabetos o usa letras que parecen latinas. Asegúrate de que es el sitio que esperas.',
  },
}
