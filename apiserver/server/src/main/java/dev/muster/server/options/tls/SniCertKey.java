package dev.muster.server.options.tls;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The files of a serving certificate for clients that ask for certain names, such as {@code
 * foo.crt,foo.key:*.foo.com,foo.com}.
 *
 * @param names for which it is used; empty for those in the certificate itself
 */
public record SniCertKey(Path certificateFile, Path keyFile, List<String> names) {
  public SniCertKey {
    names = List.copyOf(names);
  }

  /**
   * Parses the value of the flag.
   *
   * @throws IllegalArgumentException when it lacks a file, or its names after the colon
   */
  public static SniCertKey parse(String text) {
    int colon = text.indexOf(':');
    var files = (colon < 0 ? text : text.substring(0, colon)).strip().split(",", -1);
    if (files.length != 2 || files[0].isBlank() || files[1].isBlank()) {
      throw new IllegalArgumentException("expected comma separated certificate and key file paths");
    }
    var names = colon < 0 ? "" : text.substring(colon + 1).strip();
    if (colon >= 0 && names.isEmpty()) {
      throw new IllegalArgumentException("empty names list is not allowed");
    }
    return new SniCertKey(
        Path.of(files[0].strip()),
        Path.of(files[1].strip()),
        colon < 0 ? List.of() : Arrays.stream(names.split(",", -1)).map(String::strip).toList());
  }
}
