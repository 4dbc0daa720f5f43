package dev.muster.http.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/**
 * Chooses among several certificates as kube-apiserver does: configured names win over those in
 * certificates, whole names over wildcards, and earlier certificates over later ones.
 */
final class ServerNames {
  /** The type of DNS names among a certificate's subject alternative names. */
  private static final Integer DNS_NAME = 2;

  private static final Pattern DOMAIN =
      Pattern.compile(
          "\\*|(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private static final Pattern IPV4 = Pattern.compile("[0-9.]+");

  private final Map<String, Integer> byName = new HashMap<>();
  private final List<List<String>> held = new ArrayList<>();
  private final List<String> heldByDefault;

  /**
   * @param usual the certificate when none of the others matches
   */
  ServerNames(TlsMaterial usual, List<NamedMaterial> named) {
    heldByDefault = dnsNames(usual.chain().getFirst());
    var given = new HashMap<String, Integer>();
    for (int i = 0; i < named.size(); i++) {
      var leaf = named.get(i).material().chain().getFirst();
      held.add(dnsNames(leaf));
      for (var name : named.get(i).names()) {
        given.putIfAbsent(name, i);
      }
      if (named.get(i).names().isEmpty()) {
        for (var name : namesOf(leaf)) {
          byName.putIfAbsent(name, i);
        }
      }
    }
    byName.putAll(given);
  }

  /**
   * The index of the certificate for that name, or -1 for the default one.
   *
   * @param name the name that the client asked for; empty when it sent none
   * @param localAddress to which it connected
   */
  int choose(String name, String localAddress) {
    var asked = name.isEmpty() ? localAddress : name.toLowerCase(Locale.ROOT);
    var exact = byName.get(asked);
    if (exact != null || name.isEmpty()) {
      return exact == null ? -1 : exact;
    }
    var wild = byName.get(wildcard(asked));
    if (wild != null) {
      return wild;
    }
    if (!covers(heldByDefault, asked)) {
      for (int i = 0; i < held.size(); i++) {
        if (covers(held.get(i), asked)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static boolean covers(List<String> names, String asked) {
    return names.contains(asked) || names.contains(wildcard(asked));
  }

  private static String wildcard(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? "*" : "*" + name.substring(dot);
  }

  /**
   * The common name if it is a valid domain, and the DNS names. Addresses are left out: clients do
   * not ask for them.
   */
  private static List<String> namesOf(X509Certificate certificate) {
    var names = new ArrayList<String>();
    var common = commonName(certificate);
    if (DOMAIN.matcher(common).matches() && !IPV4.matcher(common).matches()) {
      names.add(common);
    }
    names.addAll(dnsNames(certificate));
    return names;
  }

  private static String commonName(X509Certificate certificate) {
    try {
      var subject = new LdapName(certificate.getSubjectX500Principal().getName());
      // RFC 2253 has the most specific part last in this list.
      return subject.getRdns().reversed().stream()
          .filter(part -> part.getType().equalsIgnoreCase("CN"))
          .map(part -> part.getValue().toString())
          .findFirst()
          .orElse("");
    } catch (InvalidNameException e) {
      return "";
    }
  }

  private static List<String> dnsNames(X509Certificate certificate) {
    try {
      var names = certificate.getSubjectAlternativeNames();
      return names == null
          ? List.of()
          : names.stream()
              .filter(name -> DNS_NAME.equals(name.get(0)))
              .map(name -> String.valueOf(name.get(1)))
              .toList();
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }
}
