/** Path of the dashboard, with which the paths of its pages begin. */
export const DASHBOARD_PATH = '/app/'
