export const DASHBOARD_PATH = '/app/'
