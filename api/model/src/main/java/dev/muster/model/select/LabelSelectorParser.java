package dev.muster.model.select;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.select.LabelRequirement.Operator;
import dev.muster.model.validation.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Parses the query form of a label selector, once. */
final class LabelSelectorParser {
  private enum Kind {
    ERROR,
    END,
    CLOSE,
    COMMA,
    NOT,
    DOUBLE_EQUALS,
    EQUALS,
    GREATER,
    WORD,
    IN,
    LESS,
    NOT_EQUALS,
    NOT_IN,
    OPEN
  }

  private record Token(Kind kind, String text) {}

  private final String source;
  private int at;
  private final List<Token> tokens = new ArrayList<>();
  private int position;

  LabelSelectorParser(String source) {
    this.source = source;
  }

  List<LabelRequirement> parse() {
    Token token;
    do {
      token = scan();
      tokens.add(token);
    } while (token.kind() != Kind.END);

    var found = new ArrayList<LabelRequirement>();
    while (true) {
      switch (kindOfValue(peek())) {
        case WORD, NOT -> found.add(requirementOrFail());
        case END -> {
          return found;
        }
        default -> throw failure("found '%s', expected: !, identifier, or 'end of string'", peek());
      }
      var next = take();
      switch (kindOfValue(next)) {
        case END -> {
          return found;
        }
        case COMMA -> {
          var after = kindOfValue(peek());
          if (after != Kind.WORD && after != Kind.NOT) {
            throw failure("found '%s', expected: identifier after ','", peek());
          }
        }
        default -> throw failure("found '%s', expected: ',' or 'end of string'", next);
      }
    }
  }

  private LabelRequirement requirementOrFail() {
    try {
      return requirement();
    } catch (MalformedValueException e) {
      throw new MalformedValueException("unable to parse requirement: " + e.text());
    }
  }

  private LabelRequirement requirement() {
    var token = take();
    boolean negated = token.kind() == Kind.NOT;
    if (negated) {
      token = take();
    }
    if (kindOfValue(token) != Kind.WORD) {
      throw failure("found '%s', expected: identifier", token);
    }
    var key = token.text();
    var problems = Names.qualifiedName(key);
    if (!problems.isEmpty()) {
      throw new MalformedValueException(
          "<nil>: Invalid value: " + GoText.quote(key) + ": " + String.join("; ", problems));
    }
    if (negated) {
      return LabelRequirement.checked(key, Operator.DOES_NOT_EXIST, List.of());
    }
    var next = peek().kind();
    if (next == Kind.END || next == Kind.COMMA) {
      return LabelRequirement.checked(key, Operator.EXISTS, List.of());
    }
    var operator = operator(take());
    var values = operator == Operator.IN || operator == Operator.NOT_IN ? values() : exactValue();
    return LabelRequirement.checked(key, operator, values);
  }

  private static Operator operator(Token token) {
    return switch (token.kind()) {
      case IN -> Operator.IN;
      case NOT_IN -> Operator.NOT_IN;
      case EQUALS -> Operator.EQUALS;
      case DOUBLE_EQUALS -> Operator.DOUBLE_EQUALS;
      case NOT_EQUALS -> Operator.NOT_EQUALS;
      case GREATER -> Operator.GREATER_THAN;
      case LESS -> Operator.LESS_THAN;
      case ERROR, END, CLOSE, COMMA, NOT, WORD, OPEN ->
          throw failure("found '%s', expected: in, notin, =, ==, !=, gt, lt", token);
    };
  }

  private List<String> exactValue() {
    var kind = peek().kind();
    if (kind == Kind.END || kind == Kind.COMMA) {
      return List.of("");
    }
    var token = take();
    if (kindOfValue(token) != Kind.WORD) {
      throw failure("found '%s', expected: identifier", token);
    }
    return List.of(token.text());
  }

  private List<String> values() {
    var open = take();
    if (open.kind() != Kind.OPEN) {
      throw failure("found '%s' expected: '('", open);
    }
    var first = peek();
    return switch (kindOfValue(first)) {
      case WORD, COMMA -> {
        var values = list();
        if (take().kind() != Kind.CLOSE) {
          throw failure("found '%s', expected: ')'", first);
        }
        yield values;
      }
      case CLOSE -> {
        take();
        yield List.of("");
      }
      default -> throw failure("found '%s', expected: ',', ')' or identifier", first);
    };
  }

  /** The values up to the closing parenthesis; nothing between two commas is an empty value. */
  private List<String> list() {
    var values = new TreeSet<String>();
    while (true) {
      var token = take();
      switch (kindOfValue(token)) {
        case WORD -> {
          values.add(token.text());
          var next = peek();
          if (next.kind() == Kind.CLOSE) {
            return List.copyOf(values);
          }
          if (next.kind() != Kind.COMMA) {
            throw failure("found '%s', expected: ',' or ')'", next);
          }
        }
        case COMMA -> {
          var next = peek().kind();
          if (values.isEmpty() || next == Kind.COMMA || next == Kind.CLOSE) {
            values.add("");
          }
          if (next == Kind.CLOSE) {
            return List.copyOf(values);
          }
        }
        default -> throw failure("found '%s', expected: ',', or identifier", token);
      }
    }
  }

  private static MalformedValueException failure(String format, Token found) {
    return new MalformedValueException(format.replace("%s", found.text()));
  }

  /** In the place of a value or key, {@code in} and {@code notin} are ordinary words. */
  private static Kind kindOfValue(Token token) {
    return token.kind() == Kind.IN || token.kind() == Kind.NOT_IN ? Kind.WORD : token.kind();
  }

  private Token peek() {
    return tokens.get(Math.min(position, tokens.size() - 1));
  }

  private Token take() {
    var token = peek();
    position++;
    return token;
  }

  private Token scan() {
    while (at < source.length() && isSpace(source.charAt(at))) {
      at++;
    }
    if (at >= source.length() || source.charAt(at) == 0) {
      at = source.length();
      return new Token(Kind.END, "");
    }
    int start = at;
    if (isSign(source.charAt(at))) {
      return sign();
    }
    while (at < source.length() && !isSign(source.charAt(at)) && !isSpace(source.charAt(at))) {
      at++;
    }
    var word = source.substring(start, at);
    return new Token(
        switch (word) {
          case "in" -> Kind.IN;
          case "notin" -> Kind.NOT_IN;
          default -> Kind.WORD;
        },
        word);
  }

  /** The longest operator that starts here. */
  private Token sign() {
    if (at + 2 <= source.length()) {
      var two = kind(source.substring(at, at + 2));
      if (two != null) {
        at += 2;
        return new Token(two, source.substring(at - 2, at));
      }
    }
    at++;
    var one = source.substring(at - 1, at);
    var kind = kind(one);
    return new Token(kind == null ? Kind.ERROR : kind, one);
  }

  private static @Nullable Kind kind(String sign) {
    return switch (sign) {
      case ")" -> Kind.CLOSE;
      case "," -> Kind.COMMA;
      case "!" -> Kind.NOT;
      case "==" -> Kind.DOUBLE_EQUALS;
      case "=" -> Kind.EQUALS;
      case ">" -> Kind.GREATER;
      case "<" -> Kind.LESS;
      case "!=" -> Kind.NOT_EQUALS;
      case "(" -> Kind.OPEN;
      default -> null;
    };
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static boolean isSign(char c) {
    return switch (c) {
      case '=', '!', '(', ')', ',', '>', '<' -> true;
      default -> false;
    };
  }
}
