/** Imported before tests that run as with EDGE_FAST=false. */
process.env.SIGNPOST_SHORT_PATH = 'false'
