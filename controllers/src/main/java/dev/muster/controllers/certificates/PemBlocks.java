package dev.muster.controllers.certificates;

import java.io.IOException;
import java.util.Base64;
import java.util.regex.Pattern;

/** Certificates and keys as text. */
final class PemBlocks {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN [A-Z0-9 ]+-----\\s+([A-Za-z0-9+/=\\s]+)-----END [A-Z0-9 ]+-----");

  private PemBlocks() {}

  /**
   * The content of the first block.
   *
   * @throws IOException if there is none
   */
  static byte[] decode(String text) throws IOException {
    var block = BLOCK.matcher(text);
    if (!block.find()) {
      throw new IOException("PEM block type must be CERTIFICATE REQUEST");
    }
    return Base64.getMimeDecoder().decode(block.group(1));
  }

  static String encode(String type, byte[] content) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
  }
}
