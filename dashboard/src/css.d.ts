/** Style sheets are imported for their effect alone; the build links them. */
declare module '*.css'
