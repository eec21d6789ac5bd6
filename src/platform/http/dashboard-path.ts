/** All pages of the dashboard are below it. */
export const DASHBOARD_PATH = '/app/'
