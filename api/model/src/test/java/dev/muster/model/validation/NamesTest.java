package dev.muster.model.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamesTest {

  @Test
  void dnsNames() {
    assertThat(Names.dnsLabel("a-1")).isEmpty();
    assertThat(Names.dnsLabel("1")).isEmpty();
    assertThat(Names.dnsLabel("a.b")).containsExactly("must not contain dots");
    assertThat(Names.dnsLabel("A"))
        .singleElement()
        .asString()
        .startsWith("a lowercase RFC 1123 label");
    assertThat(Names.dnsLabel("a".repeat(64)))
        .containsExactly("must be no more than 63 characters");
    assertThat(Names.longName("a".repeat(254))).containsExactly("must be no more than 253 bytes");
    assertThat(NameRule.LONG_NAME.check("A-", true)).isEmpty();
    assertThat(Names.dnsSubdomain("a.b-c.1")).isEmpty();
    assertThat(Names.dnsSubdomain("a..b")).hasSize(1);
    assertThat(Names.dnsSubdomain("a-.b")).hasSize(1);
    assertThat(Names.dnsSubdomain("")).hasSize(1);
    assertThat(Names.dnsSubdomain("a.".repeat(127) + "a")).hasSize(1);
    assertThat(Names.dns1035Label("a1")).isEmpty();
    assertThat(Names.dns1035Label("1a")).hasSize(1);
    assertThat(Names.wildcardDnsSubdomain("*.a.b")).isEmpty();
    assertThat(Names.wildcardDnsSubdomain("a.b")).hasSize(1);
    assertThat(Names.dnsSubdomainWithUnderscore("_a.b_c")).isEmpty();
  }

  @Test
  void keysAndValuesOfLabels() {
    assertThat(Names.qualifiedName("A_b.c-d")).isEmpty();
    assertThat(Names.qualifiedName("x.example/A")).isEmpty();
    assertThat(Names.qualifiedName("a/b/c"))
        .singleElement()
        .asString()
        .startsWith("a valid label key");
    assertThat(Names.qualifiedName("/")).hasSize(3);
    assertThat(Names.qualifiedName("x/" + "n".repeat(64)))
        .containsExactly("name part must be no more than 63 bytes");
    assertThat(Names.labelValue("")).isEmpty();
    assertThat(Names.labelValue("-")).hasSize(1);
    assertThat(Names.labelValue("é".repeat(32))).hasSize(2);
  }

  @Test
  void otherNames() {
    assertThat(Names.pathSegment("..")).containsExactly("may not be '..'");
    assertThat(Names.pathSegment("a/b%"))
        .containsExactly("may not contain '/'", "may not contain '%'");
    assertThat(Names.cIdentifier("_a1")).isEmpty();
    assertThat(Names.cIdentifier("1a")).hasSize(1);
    assertThat(Names.relaxedEnvironmentVariable("1 a/b")).isEmpty();
    assertThat(Names.relaxedEnvironmentVariable("a=b")).hasSize(1);
    assertThat(Names.configKey("..a")).containsExactly("must not start with '..'");
    assertThat(Names.configKey("a b")).hasSize(1);
    assertThat(Names.httpHeader("X-A")).isEmpty();
    assertThat(Names.httpHeader("X_A")).hasSize(1);
    assertThat(Names.portName("http-2")).isEmpty();
    assertThat(Names.portName("-1--2-")).hasSize(3);
    assertThat(NumberRules.percent("10%")).isEmpty();
    assertThat(NumberRules.percent("%")).hasSize(1);
    assertThat(NumberRules.port(0)).containsExactly("must be between 1 and 65535, inclusive");
  }

  @Test
  void prefixesOfNamesMayEndInADash() {
    assertThat(NameRule.DNS_SUBDOMAIN.check("a-", true)).isEmpty();
    assertThat(NameRule.DNS_SUBDOMAIN.check("a-", false)).hasSize(1);
    assertThat(NameRule.DNS_LABEL.check("a-", true)).isEmpty();
  }
}
