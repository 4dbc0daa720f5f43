package dev.muster.http.limits;

import java.time.Duration;

/**
 * Limits frames that are cheap to send. An HTTP/2 connection that sends more of them within a
 * window is closed with ENHANCE_YOUR_CALM.
 *
 * @param window the length of the counting window
 * @param earlyResets streams that the client resets before they are answered (CVE-2023-44487)
 * @param resets all streams that the client resets
 * @param control SETTINGS, PING, PRIORITY and unknown frames together (CVE-2019-9512, -9513, -9515)
 * @param emptyData DATA frames without content that do not end the stream (CVE-2019-9518)
 * @param streamErrors requests that break the protocol, so that the server resets them
 *     (CVE-2025-8671)
 * @param tinyWindowUpdates WINDOW_UPDATE frames of less than 64 bytes (CVE-2019-9511, -9517)
 * @param smallContinuations small CONTINUATION frames in one header block (CVE-2023-45288)
 */
public record FloodLimits(
    Duration window,
    int earlyResets,
    int resets,
    int control,
    int emptyData,
    int streamErrors,
    int tinyWindowUpdates,
    int smallContinuations) {

  public static FloodLimits standard() {
    return new FloodLimits(Duration.ofSeconds(30), 200, 5_000, 2_000, 200, 200, 2_000, 16);
  }
}
