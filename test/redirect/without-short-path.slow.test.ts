/* oxlint-disable import/no-unassigned-import -- importing them runs their tests */
/** The tests of the redirect once more, as with EDGE_FAST=false. */
import '../support/without-short-path.ts'
import './edge.test.ts'
import './hosts.test.ts'
import './options.test.ts'
import './password.test.ts'
import './bio-pages.test.ts'
import './sp-id.test.ts'
import '../platform/base/http-server.test.ts'
