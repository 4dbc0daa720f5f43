package dev.muster.cel.problem;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.SimpleType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Checks format strings against their literal argument lists. */
final class FormatProblems {
  private static final Set<CelKind> AS_TEXT =
      Set.of(
          CelKind.LIST,
          CelKind.MAP,
          CelKind.INT,
          CelKind.UINT,
          CelKind.DOUBLE,
          CelKind.BOOL,
          CelKind.STRING,
          CelKind.TIMESTAMP,
          CelKind.BYTES,
          CelKind.DURATION,
          CelKind.TYPE,
          CelKind.NULL_TYPE);
  private static final Set<CelKind> INTEGERS = Set.of(CelKind.INT, CelKind.UINT);
  private static final Set<CelKind> FRACTIONS = Set.of(CelKind.DOUBLE, CelKind.STRING);
  private static final Set<CelKind> BITS = Set.of(CelKind.INT, CelKind.UINT, CelKind.BOOL);
  private static final Set<CelKind> HEX =
      Set.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES);
  private static final String UNPARSED = "could not parse formatting clause: ";

  private final CelAbstractSyntaxTree tree;
  private final BiConsumer<CelExpr, String> problems;

  /**
   * @param problems receives the part and its error
   */
  FormatProblems(CelAbstractSyntaxTree tree, BiConsumer<CelExpr, String> problems) {
    this.tree = tree;
    this.problems = problems;
  }

  void check(CelExpr expr) {
    if (expr.getKind() != ExprKind.Kind.CALL || !expr.call().function().equals("format")) {
      return;
    }
    var call = expr.call();
    var text = call.target().orElse(null);
    if (text != null
        && text.getKind() == ExprKind.Kind.CONSTANT
        && text.constant().getKind() == CelConstant.Kind.STRING_VALUE
        && call.args().size() == 1
        && call.args().getFirst().getKind() == ExprKind.Kind.LIST) {
      check(expr, text.constant().stringValue(), call.args().getFirst().list().elements());
    }
  }

  /** Checks the format string byte by byte, up to the first error. */
  private void check(CelExpr call, String text, List<CelExpr> values) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    int used = 0;
    for (int i = 0; i < bytes.length; ) {
      if (bytes[i] != '%') {
        i++;
        continue;
      }
      if (i + 1 < bytes.length && bytes[i + 1] == '%') {
        i += 2;
        continue;
      }
      if (i + 1 >= bytes.length) {
        problems.accept(call, "unexpected end of string");
        return;
      }
      if (used >= values.size()) {
        problems.accept(call, "index " + used + " out of range");
        return;
      }
      int clause = clause(bytes, i + 1, call);
      if (clause < 0 || !isFormatted(bytes[clause], values.get(used), call)) {
        return;
      }
      used++;
      i = clause + 1;
    }
    if (values.size() > used) {
      problems.accept(
          call,
          "too many arguments supplied to string.format (expected "
              + used
              + ", got "
              + values.size()
              + ")");
    }
  }

  /** The position of a clause's letter, or -1 after reporting an error. */
  private int clause(byte[] text, int from, CelExpr call) {
    if (text[from] != '.') {
      return from;
    }
    int end = from + 1;
    while (end < text.length && text[end] >= '0' && text[end] <= '9') {
      end++;
    }
    if (end >= text.length) {
      problems.accept(
          call,
          UNPARSED + "error while parsing precision: could not find end of precision specifier");
      return -1;
    }
    var digits = new String(text, from + 1, end - from - 1, StandardCharsets.UTF_8);
    if (digits.isEmpty() || digits.length() > 18) {
      problems.accept(
          call,
          UNPARSED
              + "error while parsing precision: error while converting precision to integer:"
              + " strconv.Atoi: parsing \""
              + digits
              + "\": "
              + (digits.isEmpty() ? "invalid syntax" : "value out of range"));
      return -1;
    }
    return end;
  }

  private boolean isFormatted(byte letter, CelExpr value, CelExpr call) {
    return switch (letter) {
      case 's' -> {
        var wrong = notText(value);
        yield wrong == null
            || refuse(
                wrong,
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps,"
                    + " lists, types, durations, and timestamps");
      }
      case 'd' -> check(value, INTEGERS, "decimal clause can only be used on integers");
      case 'f' -> check(value, FRACTIONS, "fixed-point clause can only be used on doubles");
      case 'e' -> check(value, FRACTIONS, "scientific clause can only be used on doubles");
      case 'b' -> check(value, BITS, "only integers and bools can be formatted as binary");
      case 'x', 'X' ->
          check(value, HEX, "only integers, byte buffers, and strings can be formatted as hex");
      case 'o' -> check(value, INTEGERS, "octal clause can only be used on integers");
      default -> {
        problems.accept(
            call, UNPARSED + "unrecognized formatting clause \"" + (char) (letter & 0xff) + "\"");
        yield false;
      }
    };
  }

  private boolean check(CelExpr value, Set<CelKind> kinds, String rule) {
    return isOneOf(value, kinds) || refuse(value, rule);
  }

  private boolean refuse(CelExpr value, String rule) {
    var type = tree.getTypeMap().getOrDefault(value.id(), SimpleType.DYN);
    problems.accept(
        value,
        "error during formatting: "
            + rule
            + ", was given "
            + TypeNames.of(type).replaceFirst("\\(.*", ""));
    return false;
  }

  private boolean isOneOf(CelExpr value, Set<CelKind> kinds) {
    var type = tree.getTypeMap().getOrDefault(value.id(), SimpleType.DYN);
    return type.kind() == CelKind.DYN || kinds.contains(type.kind());
  }

  /** The first part of a value that cannot be printed as a string. */
  private @Nullable CelExpr notText(CelExpr value) {
    if (!isOneOf(value, AS_TEXT)) {
      return value;
    }
    if (value.getKind() == ExprKind.Kind.LIST) {
      for (var element : value.list().elements()) {
        var wrong = notText(element);
        if (wrong != null) {
          return wrong;
        }
      }
    }
    if (value.getKind() == ExprKind.Kind.MAP) {
      for (var entry : value.map().entries()) {
        var wrong = notText(entry.key());
        wrong = wrong == null ? notText(entry.value()) : wrong;
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }
}
