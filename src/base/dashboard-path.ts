/** Where the dashboard is on its host, and the beginning of the paths of its pages. */
export const DASHBOARD_PATH = '/app/'
