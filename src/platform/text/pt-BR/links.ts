import type { LinkTexts } from '../texts.ts'

export const links: LinkTexts = {
  pages: {
    missing: {
      title: 'Link não encontrado',
      text: 'Verifique se há erros de digitação no endereço. O link também pode ter sido desativado ou excluído.',
    },
    pending: {
      title: 'Este link ainda não está disponível',
      text: 'Volte mais tarde ou pergunte ao remetente quando ele abre.',
    },
    expired: {
      title: 'Este link expirou',
      text: 'Ele funcionou até uma data escolhida pelo proprietário. Peça um novo ao remetente.',
    },
    exhausted: {
      title: 'Este link atingiu o limite de cliques',
      text: 'Ele só podia ser aberto um número limitado de vezes. Peça um novo ao remetente.',
    },
    suspended: {
      title: 'Este link está fora de serviço',
      text: 'A conta à qual ele pertence não está ativa. Pergunte ao remetente para onde ele deveria levar.',
    },
    blocked: {
      title: 'Este link foi bloqueado',
      text: 'O operador deste serviço o retirou do ar. Se uma mensagem trouxe você até aqui, desconfie de tudo o mais que ela pedir.',
    },
    noPreview: {
      title: 'Sem prévia para este endereço',
      text: 'Ou este link não existe, ou ele não mostra para onde leva.',
    },
    malformed: {
      title: 'Este endereço não é válido',
      text: 'Ele contém caracteres que nenhum link tem. Verifique se você copiou tudo.',
    },
    tooLong: {
      title: 'Este endereço é longo demais',
      text: 'Verifique se nada mais foi copiado junto com o link.',
    },
    unavailable: {
      title: 'Tente novamente',
      text: 'Não conseguimos consultar este link agora. Tente novamente em alguns segundos.',
    },
    broken: {
      title: 'Algo deu errado',
      text: 'O problema é nosso. Tente novamente em alguns segundos.',
    },
  },
  error: 'Erro',
  reportAbuse: 'Denunciar abuso',
  password: {
    title: 'Este link precisa de uma senha',
    intro: 'Digite a senha que veio com o link.',
    wrong: 'A senha está incorreta. Confira e tente novamente.',
    label: 'Senha',
    open: 'Abrir link',
    cookie: 'Um cookie mantém o link aberto neste navegador por 12 horas.',
  },
  attempts: {
    title: 'Tentativas demais',
    wait: (time) => `A senha não foi verificada. Tente novamente em ${time}.`,
    back: 'Voltar ao link',
  },
  app: {
    title: 'Este link abre um aplicativo',
    without: (host) => `Se você não tem o aplicativo, continue em ${host}.`,
    open: 'Abrir o aplicativo',
    browser: 'Continuar no navegador',
  },
  inspection: {
    title: 'Este link leva a',
    conditional: 'Ele pode levar a outro lugar, dependendo do dispositivo, do local ou da hora.',
    mixedScript:
      'Cuidado: o nome do site neste endereço mistura alfabetos ou usa letras parecidas com as latinas. Confirme que é o site que você espera.',
  },
}
