package dev.muster.authentication;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Belongs to one thread. Chains of certificates that are right but for at most a few things, each
 * with what its bearer may be.
 */
final class OddCertificates {
  /**
   * @param chain leaf first
   * @param name of its bearer; "" when it is nobody's
   * @param groups that it names
   * @param wrong what is wrong with it; nothing when it is good
   */
  record Odd(List<X509Certificate> chain, String name, List<String> groups, List<String> wrong) {}

  private static final ASN1ObjectIdentifier UNKNOWN = new ASN1ObjectIdentifier("1.3.6.1.4.1.9.9");
  private static final int MOST_GROUPS = 300;

  private final Random random;
  private final Instant now;
  private final CertificateForge root;
  private final CertificateForge stranger;
  private final KeyPair middleKeys = CertificateForge.newKeys();
  private final KeyPair leafKeys = CertificateForge.newKeys();
  private long serial = 1;

  OddCertificates(CertificateForge root, Random random, Instant now) {
    this.root = root;
    this.stranger = CertificateForge.root(root.name(), now);
    this.random = random;
    this.now = now;
  }

  Odd next() {
    var wrong = new ArrayList<String>();
    var subject = subject(wrong);
    var chain = new ArrayList<X509Certificate>();
    boolean between = random.nextInt(3) == 0;
    var signer = authority(wrong);
    var issuer = between ? new X500Name("CN=middle") : new X500Name("CN=" + root.name());
    chain.add(leaf(subject, issuer, between ? middleKeys : signer.keys(), wrong));
    if (between) {
      chain.add(middle(signer, subject, wrong));
    }
    if (random.nextInt(10) == 0) {
      chain.add(stranger.certificate());
    }
    return new Odd(chain, name(subject), texts(subject, BCStyle.O), wrong);
  }

  private boolean rarely() {
    return random.nextInt(8) == 0;
  }

  /** One that is known, or one that only says so. */
  private CertificateForge authority(List<String> wrong) {
    if (rarely()) {
      wrong.add("signed by a stranger");
      return stranger;
    }
    return root;
  }

  private X500Name subject(List<String> wrong) {
    var subject = new X500NameBuilder();
    for (int i = random.nextInt(3) == 0 ? random.nextInt(MOST_GROUPS) : 1; i > 0; i--) {
      subject.addRDN(BCStyle.O, text("group-" + i));
    }
    switch (random.nextInt(6)) {
      case 0 -> {
        subject.addRDN(BCStyle.CN, text("first"));
        subject.addRDN(BCStyle.CN, text("last"));
      }
      case 1 ->
          subject.addMultiValuedRDN(
              new ASN1ObjectIdentifier[] {BCStyle.O, BCStyle.CN, BCStyle.OU},
              new ASN1Encodable[] {text("joined"), text("several"), text("unit")});
      case 2 -> subject.addRDN(BCStyle.CN, new DERUTF8String("system:admin\u0000.example"));
      case 3 -> {
        if (random.nextBoolean()) {
          subject.addRDN(BCStyle.CN, new DERUTF8String(""));
        }
      }
      default -> subject.addRDN(BCStyle.CN, text("jane"));
    }
    if (rarely()) {
      var uid = new ASN1ObjectIdentifier("1.3.6.1.4.1.57683.2");
      boolean empty = random.nextBoolean();
      subject.addRDN(uid, new DERUTF8String(empty ? "" : "1"));
      if (!empty) {
        subject.addRDN(uid, new DERUTF8String("2"));
      }
      wrong.add("no single UID");
    }
    return subject.build();
  }

  /** The same text in any of the forms that certificates have for it. */
  private ASN1Encodable text(String text) {
    return switch (random.nextInt(3)) {
      case 0 -> new DERBMPString(text);
      case 1 -> new DERPrintableString(text);
      default -> new DERUTF8String(text);
    };
  }

  private X509Certificate leaf(X500Name subject, X500Name issuer, KeyPair by, List<String> wrong) {
    var builder = builder(subject, issuer, leafKeys, wrong);
    extend(builder, Extension.basicConstraints, true, new BasicConstraints(false));
    usage(builder, wrong);
    if (rarely()) {
      extend(builder, UNKNOWN, true, DERNull.INSTANCE);
      wrong.add("something critical that nobody knows");
    }
    return signed(builder, by);
  }

  private void usage(JcaX509v3CertificateBuilder builder, List<String> wrong) {
    switch (random.nextInt(6)) {
      case 0 -> {
        var usage =
            random.nextBoolean()
                ? KeyPurposeId.id_kp_serverAuth
                : KeyPurposeId.id_kp_emailProtection;
        extend(builder, Extension.extendedKeyUsage, random.nextBoolean(), usages(usage));
        wrong.add("not for clients");
      }
      case 1 -> {}
      case 2 ->
          extend(
              builder, Extension.extendedKeyUsage, false, usages(KeyPurposeId.anyExtendedKeyUsage));
      default ->
          extend(
              builder,
              Extension.extendedKeyUsage,
              random.nextBoolean(),
              usages(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth));
    }
  }

  private static ExtendedKeyUsage usages(KeyPurposeId... usages) {
    return new ExtendedKeyUsage(usages);
  }

  private X509Certificate middle(CertificateForge signer, X500Name leaf, List<String> wrong) {
    var builder =
        builder(new X500Name("CN=middle"), new X500Name("CN=" + root.name()), middleKeys, wrong);
    boolean authority = !rarely();
    if (!authority) {
      wrong.add("signed by somebody who may not");
    }
    extend(builder, Extension.basicConstraints, true, new BasicConstraints(authority));
    int uses = rarely() ? KeyUsage.digitalSignature : KeyUsage.keyCertSign | KeyUsage.cRLSign;
    if (uses == KeyUsage.digitalSignature) {
      wrong.add("signed with a key for something else");
    }
    extend(builder, Extension.keyUsage, true, new KeyUsage(uses));
    if (rarely()) {
      extend(builder, Extension.extendedKeyUsage, false, usages(KeyPurposeId.id_kp_serverAuth));
      wrong.add("signed by an authority of servers");
    }
    if (rarely() && leaf.getRDNs().length > 0) {
      var excluded = new GeneralSubtree(new GeneralName(leaf));
      extend(
          builder,
          Extension.nameConstraints,
          true,
          new NameConstraints(null, new GeneralSubtree[] {excluded}));
      wrong.add("a name that the authority may not give");
    }
    return signed(builder, signer.keys());
  }

  private JcaX509v3CertificateBuilder builder(
      X500Name subject, X500Name issuer, KeyPair own, List<String> wrong) {
    var from = now.minus(Duration.ofHours(1));
    var until = now.plus(Duration.ofDays(1));
    switch (random.nextInt(16)) {
      case 0 -> {
        until = now.minusSeconds(1);
        wrong.add("expired");
      }
      case 1 -> {
        from = now.plusSeconds(1);
        wrong.add("not valid yet");
      }
      case 2 -> until = Instant.parse("9999-12-31T23:59:59Z");
      default -> {}
    }
    return new JcaX509v3CertificateBuilder(
        issuer,
        BigInteger.valueOf(serial++),
        Date.from(from),
        Date.from(until),
        subject,
        own.getPublic());
  }

  private static void extend(
      JcaX509v3CertificateBuilder builder,
      ASN1ObjectIdentifier id,
      boolean critical,
      ASN1Encodable value) {
    try {
      builder.addExtension(id, critical, value);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate signed(JcaX509v3CertificateBuilder builder, KeyPair by) {
    try {
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(by.getPrivate())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String name(X500Name subject) {
    var names = texts(subject, BCStyle.CN);
    return names.isEmpty() ? "" : names.getLast();
  }

  private static List<String> texts(X500Name subject, ASN1ObjectIdentifier type) {
    var texts = new ArrayList<String>();
    for (var rdn : subject.getRDNs()) {
      for (var attribute : rdn.getTypesAndValues()) {
        if (attribute.getType().equals(type)) {
          texts.add(attribute.getValue().toString());
        }
      }
    }
    return texts;
  }
}
