// go run verify.go <secret> <x-service-signature> [now] < body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"regexp"
	"strconv"
	"time"
)

const toleranceSeconds = 300

var headerPattern = regexp.MustCompile(`^t=([0-9]{1,15}),v1=([0-9a-f]{64})$`)

// Verify takes the body as it arrived, before any JSON parser saw it.
func Verify(secret, header string, rawBody []byte, now int64) bool {
	match := headerPattern.FindStringSubmatch(header)
	if match == nil {
		return false
	}
	timestamp, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil || now-timestamp > toleranceSeconds || timestamp-now > toleranceSeconds {
		return false
	}
	signature, err := hex.DecodeString(match[2])
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("t." + match[1] + "."))
	mac.Write(rawBody)
	return hmac.Equal(mac.Sum(nil), signature)
}

func main() {
	now := time.Now().Unix()
	if len(os.Args) > 3 {
		now, _ = strconv.ParseInt(os.Args[3], 10, 64)
	}
	rawBody, err := io.ReadAll(os.Stdin)
	if err != nil || !Verify(os.Args[1], os.Args[2], rawBody, now) {
		os.Exit(1)
	}
}
