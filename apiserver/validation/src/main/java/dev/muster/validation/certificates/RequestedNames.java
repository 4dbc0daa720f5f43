package dev.muster.validation.certificates;

import dev.muster.pki.PemBlock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names in a PKCS #10 certificate request (RFC 2986).
 *
 * @param commonName the last common name of the subject
 * @param kinds the kinds of its subject alternative names (RFC 5280, GeneralName)
 */
public record RequestedNames(String commonName, List<String> organizations, Set<Kind> kinds) {
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String ORGANIZATION = "2.5.4.10";
  private static final String EXTENSIONS = "1.2.840.113549.1.9.14";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final int ATTRIBUTES = 0xa0;

  /** A kind of subject alternative name. */
  public enum Kind {
    EMAIL(0x81),
    DNS(0x82),
    URI(0x86),
    IP(0x87);

    private final int tag;

    Kind(int tag) {
      this.tag = tag;
    }
  }

  /** The names in a PEM block, or empty when it contains no certificate request. */
  public static Optional<RequestedNames> of(byte[] pem) {
    var blocks = PemBlock.all(pem);
    if (blocks.isEmpty() || !blocks.getFirst().type().equals("CERTIFICATE REQUEST")) {
      return Optional.empty();
    }
    try {
      var request = Der.sequence(blocks.getFirst().bytes(), "certificateRequest").parts();
      if (request.size() != 3) {
        return Optional.empty();
      }
      return of(request.getFirst().parts());
    } catch (Der.MalformedException e) {
      return Optional.empty();
    }
  }

  private static Optional<RequestedNames> of(List<Der> information) throws Der.MalformedException {
    if (information.size() < 3) {
      return Optional.empty();
    }
    var commonName = "";
    var organizations = new ArrayList<String>();
    for (var set : information.get(1).parts()) {
      for (var attribute : set.parts()) {
        var parts = attribute.parts();
        if (parts.size() == 2) {
          var text = new String(parts.get(1).content(), StandardCharsets.UTF_8);
          switch (parts.getFirst().identifier()) {
            case COMMON_NAME -> commonName = text;
            case ORGANIZATION -> organizations.add(text);
            default -> {}
          }
        }
      }
    }
    var kinds = new HashSet<Kind>();
    for (var part : information.subList(3, information.size())) {
      if (part.tag() == ATTRIBUTES) {
        kinds.addAll(kinds(part));
      }
    }
    return Optional.of(new RequestedNames(commonName, organizations, kinds));
  }

  private static Set<Kind> kinds(Der attributes) throws Der.MalformedException {
    var found = new HashSet<Kind>();
    for (var attribute : attributes.parts()) {
      var parts = attribute.parts();
      if (parts.size() != 2 || !parts.getFirst().identifier().equals(EXTENSIONS)) {
        continue;
      }
      for (var extensions : parts.get(1).parts()) {
        for (var extension : extensions.parts()) {
          var value = extension.parts();
          if (value.size() >= 2 && value.getFirst().identifier().equals(ALTERNATIVE_NAMES)) {
            for (var name : Der.sequence(value.getLast().content(), "altNames").parts()) {
              add(name.tag(), found);
            }
          }
        }
      }
    }
    return found;
  }

  private static void add(int tag, Set<Kind> found) {
    for (var kind : Kind.values()) {
      if (kind.tag == tag) {
        found.add(kind);
      }
    }
  }
}
