package dev.muster.server.options.tls;

import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The key exchanges of TLS, by the numbers of IANA and Go's {@code CurveID}. */
public final class CurvePreferences {
  private static final int LARGEST = 0xffff;

  private static final Map<Integer, String> GROUPS =
      Map.of(
          23, "secp256r1",
          24, "secp384r1",
          25, "secp521r1",
          29, "x25519",
          4588, "X25519MLKEM768");

  private CurvePreferences() {}

  /**
   * @throws IllegalArgumentException naming the first that is unknown or duplicate
   */
  public static List<Integer> known(List<Integer> numbers) {
    var seen = new HashSet<Integer>();
    for (int number : numbers) {
      if (number <= 0 || number > LARGEST) {
        throw bad(number, " is out of range (must be 1-" + LARGEST + ")");
      }
      if (!seen.add(number)) {
        throw new IllegalArgumentException(
            "--tls-curve-preferences: duplicate curve preference " + number);
      }
      if (!GROUPS.containsKey(number)) {
        throw bad(number, " is not supported by the TLS library");
      }
    }
    return List.copyOf(numbers);
  }

  private static IllegalArgumentException bad(int number, String problem) {
    return new IllegalArgumentException(
        "--tls-curve-preferences: curve preference " + number + problem);
  }

  /** Their names in Go's order of preference: as in Go, the order of the flag has no meaning. */
  public static List<String> groups(List<Integer> numbers) {
    return List.of(4588, 29, 23, 24, 25).stream()
        .filter(numbers::contains)
        .map(GROUPS::get)
        .toList();
  }
}
