package dev.muster.http.tls;

import java.util.List;

/**
 * A certificate for clients that ask for certain names.
 *
 * @param names exact names, names with {@code *} as their first label, or addresses to which
 *     clients without a server name connect; empty for the names in the certificate itself
 */
public record NamedMaterial(TlsMaterial material, List<String> names) {
  public NamedMaterial {
    names = List.copyOf(names);
  }
}
