package dev.muster.server.answers;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bodies that cost their sender little and a careless server much. */
final class HostileBodies {
  private HostileBodies() {}

  /** Texts in JSON or YAML that are sent as everything. */
  static List<byte[]> documents() {
    return List.of(
        text("[".repeat(100_000)),
        text("{\"a\":".repeat(50_000)),
        text("{\"data\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}"),
        text("{\"data\":{" + "\"a\":\"b\",".repeat(20_000) + "\"a\":\"b\"}}"),
        text("{\"data\":{\"a\":" + "9".repeat(100_000) + "}}"),
        text("{\"data\":{\"a\":1e" + "9".repeat(1_000) + "}}"),
        text("{\"metadata\":{\"name\":\"" + "x".repeat(500_000) + "\"}}"),
        text("{\"metadata\":{\"name\":\"a\",\"finalizers\":[" + list("\"f%d/x\"", 5_000) + "]}}"),
        text("{\"metadata\":{\"labels\":{" + list("\"l%d\":\"v\"", 5_000) + "}}}"),
        text(
            "{\"metadata\":{\"ownerReferences\":["
                + list(
                    "{\"uid\":\"%d\",\"name\":\"a\",\"kind\":\"b\",\"apiVersion\":\"v1\"}", 2_000)
                + "]}}"),
        text("{\"data\":{" + list("\"k%d\":\"v\"", 20_000) + "}}"),
        text(aliases()),
        text("a: &a [" + "*a,".repeat(3) + "]"),
        text("- ".repeat(20_000)),
        text("? ".repeat(20_000)),
        text("[" + list("{\"op\":\"copy\",\"from\":\"\",\"path\":\"/x%d\"}", 60) + "]"),
        text("[" + list("{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/k%d\"}", 60) + "]"),
        text(
            "["
                + list(
                    "{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"%d\"}", 9_999)
                + "]"),
        text("[" + list("{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"%d\"}", 10_001) + "]"),
        new byte[] {(byte) 0xff, (byte) 0xfe, '{', 0},
        new byte[0]);
  }

  /** Bodies whose lengths lie, or that are nested without end. */
  static List<byte[]> binary() {
    return List.of(
        new byte[] {'k', '8', 's', 0},
        bytes("k8s\0", 0x0a, 0xff, 0xff, 0xff, 0xff, 0x07),
        bytes("k8s\0", 0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
        bytes("k8s\0", 0x0b, 0x0b, 0x0b, 0x0b),
        repeated("k8s\0", 0x0a, 100_000),
        repeated("", 0x81, 100_000),
        repeated("", 0xa1, 100_000),
        repeated("", 0x9f, 100_000),
        repeated("", 0xc1, 100_000),
        bytes("", 0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
        bytes("", 0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
        bytes("", 0x7b, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff),
        bytes("", 0xd9, 0xd9, 0xf7, 0xa1, 0x41, 0x61, 0xf6));
  }

  /** Changes of a template of pods that touch very many members of a list. */
  static List<byte[]> templates() {
    var head =
        "{\"apiVersion\":\"v1\",\"kind\":\"PodTemplate\",\"metadata\":{\"name\":\"seed\"},"
            + "\"template\":{\"spec\":{";
    return List.of(
        text(
            head + "\"containers\":[" + list("{\"name\":\"c%d\",\"image\":\"i\"}", 2_000) + "]}}}"),
        text(
            head
                + "\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"env\":["
                + list("{\"name\":\"E%d\",\"value\":\"v\"}", 4_000)
                + "]}]}}}"),
        text(
            head
                + "\"$setElementOrder/containers\":["
                + list("{\"name\":\"c%d\"}", 5_000)
                + "]}}}"),
        text(
            head
                + "\"$setElementOrder/containers\":["
                + list("{\"name\":\"c%d\"}", 3_000)
                + "],\"containers\":["
                + list("{\"name\":\"c%d\",\"image\":\"i\"}", 3_000)
                + "]}}}"),
        text(head + "\"volumes\":[" + list("{\"name\":\"v%d\",\"emptyDir\":{}}", 3_000) + "]}}}"),
        text(
            head
                + "\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"ports\":["
                + list("{\"containerPort\":%d}", 3_000)
                + "]}]}}}"),
        text(head + "\"tolerations\":[" + list("{\"key\":\"k%d\"}", 3_000) + "]}}}"),
        text(
            head
                + "\"nodeSelector\":{"
                + list("\"k%d\":\"v\"", 5_000)
                + "},\"$retainKeys\":["
                + list("\"k%d\"", 5_000)
                + "]}}}"));
  }

  /** A few lines that stand for ten to the power of nine members. */
  private static String aliases() {
    var out = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 9; i++) {
      var inner = ("*a" + (i - 1) + ",").repeat(9) + "*a" + (i - 1);
      out.append("a%d: &a%d [%s]\n".formatted(i, i, inner));
    }
    return out.toString();
  }

  private static String list(String form, int count) {
    var out = new StringBuilder();
    for (int i = 0; i < count; i++) {
      out.append(i == 0 ? "" : ",").append(form.replace("%d", Integer.toString(i)));
    }
    return out.toString();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String head, int... rest) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    for (int b : rest) {
      out.write(b);
    }
    return out.toByteArray();
  }

  private static byte[] repeated(String head, int value, int count) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    for (int i = 0; i < count; i++) {
      out.write(value);
    }
    return out.toByteArray();
  }
}
