<?php
// php verify.php <secret> <x-service-signature> [now] < body

const TOLERANCE_SECONDS = 300;

/** $rawBody is what file_get_contents('php://input') gives, before any JSON parser saw it. */
function verify(string $secret, string $header, string $rawBody, ?int $now = null): bool
{
    if (preg_match('/\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z/', $header, $match) !== 1) {
        return false;
    }
    [, $timestamp, $signature] = $match;
    if (abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "t.$timestamp.$rawBody", $secret);
    return hash_equals($expected, $signature);
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $now = isset($argv[3]) ? (int) $argv[3] : null;
    exit(verify($argv[1], $argv[2], stream_get_contents(STDIN), $now) ? 0 : 1);
}
