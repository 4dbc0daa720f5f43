package dev.muster.http.tls;

import java.util.List;

/**
 * A certificate for clients that ask for certain names.
 *
 * @param names exact, or with {@code *} for their first label, or the address to which a client
 *     that sends no name connects; none for the names that the certificate itself holds
 */
public record NamedMaterial(TlsMaterial material, List<String> names) {
  public NamedMaterial {
    names = List.copyOf(names);
  }
}
