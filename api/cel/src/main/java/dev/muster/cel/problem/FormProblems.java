package dev.muster.cel.problem;

import cel.parser.internal.CELParser;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * Finds errors that the grammar allows: reserved words, literals out of range, wrong macro
 * arguments. It checks as much of an expression as could be parsed. Only one thread uses it, for
 * one expression.
 */
final class FormProblems {
  private static final Set<String> RESERVED =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "package",
          "namespace",
          "null",
          "return",
          "true",
          "var",
          "void",
          "while");

  /** Stands for a part that could not be parsed. */
  private static final ExpressionPart BROKEN =
      new ExpressionPart(ExpressionPart.Kind.OTHER, "", 1, -1);

  private final List<CelIssue> found = new ArrayList<>();
  private final MacroProblems macros;

  private FormProblems(boolean bindings) {
    macros =
        new MacroProblems(bindings, (part, problem) -> report(part.line(), part.column(), problem));
  }

  /**
   * @param bindings whether {@code cel.bind} is available
   */
  static List<CelIssue> of(CELParser.StartContext tree, boolean bindings) {
    var problems = new FormProblems(bindings);
    var ignored = problems.visit(tree.e);
    return problems.found;
  }

  private void report(int line, int column, String problem) {
    found.add(CelIssue.formatError(CelSourceLocation.of(line, column), problem));
  }

  private ExpressionPart refuse(ParserRuleContext context, String problem) {
    var part = part(ExpressionPart.Kind.OTHER, context);
    report(part.line(), part.column(), problem);
    return part;
  }

  private static ExpressionPart part(ExpressionPart.Kind kind, ParserRuleContext context) {
    return part(kind, "", context.getStart());
  }

  private static ExpressionPart part(ExpressionPart.Kind kind, String name, @Nullable Token at) {
    return at == null
        ? BROKEN
        : new ExpressionPart(kind, name, at.getLine(), at.getCharPositionInLine());
  }

  private ExpressionPart visit(@Nullable ParseTree tree) {
    return switch (tree) {
      case CELParser.ExprContext c -> choice(c);
      case CELParser.ConditionalOrContext c -> chain(c, c.e, c.ops, c.e1, "||");
      case CELParser.ConditionalAndContext c -> chain(c, c.e, c.ops, c.e1, "&&");
      case CELParser.RelationContext c ->
          c.op == null ? visit(c.calc()) : operation(c.op, c.relation(0), c.relation(1));
      case CELParser.CalcContext c ->
          c.op == null ? visit(c.unary()) : operation(c.op, c.calc(0), c.calc(1));
      case CELParser.MemberExprContext c -> visit(c.member());
      case CELParser.LogicalNotContext c -> prefix(c.ops, c.member());
      case CELParser.NegateContext c -> prefix(c.ops, c.member());
      case CELParser.PrimaryExprContext c -> visit(c.primary());
      case CELParser.NestedContext c -> visit(c.e);
      case CELParser.ConstantLiteralContext c -> literal(c.literal());
      case CELParser.SelectContext c -> select(c);
      case CELParser.MemberCallContext c -> memberCall(c);
      case CELParser.IndexContext c -> index(c);
      case CELParser.IdentContext c -> identifier(c);
      case CELParser.GlobalCallContext c -> globalCall(c);
      case CELParser.CreateListContext c -> list(c);
      case CELParser.CreateMapContext c -> map(c);
      case CELParser.CreateMessageContext c -> message(c);
      case CELParser.UnaryContext c -> part(ExpressionPart.Kind.OTHER, c);
      case null, default -> BROKEN;
    };
  }

  private ExpressionPart choice(CELParser.ExprContext c) {
    var condition = visit(c.e);
    if (c.op == null) {
      return condition;
    }
    var ignored = List.of(visit(c.e1), visit(c.e2));
    return part(ExpressionPart.Kind.CALL, "", c.op);
  }

  private ExpressionPart operation(
      Token operator, @Nullable ParseTree left, @Nullable ParseTree right) {
    var ignored = List.of(visit(left), visit(right));
    return part(ExpressionPart.Kind.CALL, "", operator);
  }

  private ExpressionPart chain(
      ParserRuleContext context,
      @Nullable ParseTree first,
      List<Token> operators,
      List<? extends ParseTree> rest,
      String operator) {
    var part = visit(first);
    for (int i = 0; i < operators.size(); i++) {
      if (i >= rest.size()) {
        return refuse(context, "unexpected character, wanted '" + operator + "'");
      }
      var ignored = visit(rest.get(i));
    }
    return operators.isEmpty()
        ? part
        : part(ExpressionPart.Kind.CALL, "", operators.get(operators.size() / 2));
  }

  private ExpressionPart prefix(List<Token> operators, @Nullable ParseTree member) {
    var part = visit(member);
    return operators.size() % 2 == 0
        ? part
        : part(ExpressionPart.Kind.CALL, "", operators.getFirst());
  }

  private ExpressionPart select(CELParser.SelectContext c) {
    var ignored = visit(c.member());
    if (c.id == null || c.op == null) {
      return part(ExpressionPart.Kind.OTHER, c);
    }
    name(c.id, c.id);
    return part(c.opt == null ? ExpressionPart.Kind.SELECTION : ExpressionPart.Kind.CALL, "", c.op);
  }

  /** Checks a name that may be escaped. */
  private void name(CELParser.@Nullable EscapeIdentContext id, ParserRuleContext place) {
    if (id instanceof CELParser.EscapedIdentifierContext) {
      var ignored = refuse(place, "unsupported syntax: '`'");
    } else if (!(id instanceof CELParser.SimpleIdentifierContext)) {
      var ignored = refuse(place, "unsupported ident kind");
    }
  }

  private ExpressionPart memberCall(CELParser.MemberCallContext c) {
    var target = visit(c.member());
    if (c.id == null) {
      return part(ExpressionPart.Kind.OTHER, c);
    }
    var kind = macros.member(c.id.getText(), target, all(c.args));
    return part(kind, "", c.open);
  }

  private ExpressionPart index(CELParser.IndexContext c) {
    var ignored = visit(c.member());
    if (c.op == null) {
      return part(ExpressionPart.Kind.OTHER, c);
    }
    var index = visit(c.index);
    return part(index == null ? ExpressionPart.Kind.OTHER : ExpressionPart.Kind.CALL, "", c.op);
  }

  private ExpressionPart identifier(CELParser.IdentContext c) {
    if (c.id == null) {
      return part(ExpressionPart.Kind.OTHER, c);
    }
    var id = c.id.getText();
    return RESERVED.contains(id)
        ? refuse(c, "reserved identifier: " + id)
        : part(ExpressionPart.Kind.IDENTIFIER, (c.leadingDot == null ? "" : ".") + id, c.id);
  }

  private ExpressionPart globalCall(CELParser.GlobalCallContext c) {
    if (c.id == null) {
      return part(ExpressionPart.Kind.OTHER, c);
    }
    var id = c.id.getText();
    if (RESERVED.contains(id)) {
      return refuse(c, "reserved identifier: " + id);
    }
    var kind = macros.global((c.leadingDot == null ? "" : ".") + id, all(c.args));
    return part(kind, "", c.op);
  }

  private List<ExpressionPart> all(CELParser.@Nullable ExprListContext list) {
    var parts = new ArrayList<ExpressionPart>();
    if (list != null) {
      list.e.forEach(one -> parts.add(visit(one)));
    }
    return parts;
  }

  private ExpressionPart list(CELParser.CreateListContext c) {
    if (c.elems != null) {
      c.elems.elems.forEach(element -> visit(element.e));
    }
    return part(ExpressionPart.Kind.LIST, "", c.op);
  }

  private ExpressionPart map(CELParser.CreateMapContext c) {
    if (c.entries != null) {
      var entries = c.entries;
      for (int i = 0; i < entries.cols.size(); i++) {
        if (i >= entries.keys.size() || i >= entries.values.size()) {
          break;
        }
        var ignored = List.of(visit(entries.keys.get(i).e), visit(entries.values.get(i)));
      }
    }
    return part(ExpressionPart.Kind.OTHER, "", c.op);
  }

  private ExpressionPart message(CELParser.CreateMessageContext c) {
    if (c.entries != null) {
      var entries = c.entries;
      for (int i = 0; i < entries.fields.size(); i++) {
        if (i >= entries.cols.size() || i >= entries.values.size()) {
          break;
        }
        int before = found.size();
        name(entries.fields.get(i).escapeIdent(), entries);
        if (found.size() == before) {
          var ignored = visit(entries.values.get(i));
        }
      }
    }
    return part(ExpressionPart.Kind.OTHER, "", c.op);
  }

  private ExpressionPart literal(CELParser.@Nullable LiteralContext literal) {
    return switch (literal) {
      case CELParser.IntContext c ->
          checked(c, LiteralText.isInt(c.sign != null, c.tok.getText()), "invalid int literal");
      case CELParser.UintContext c -> {
        var text = c.tok.getText();
        yield checked(
            c, LiteralText.isUint(text.substring(0, text.length() - 1)), "invalid uint literal");
      }
      case CELParser.DoubleContext c ->
          checked(c, LiteralText.isDouble(c.tok.getText()), "invalid double literal");
      case CELParser.StringContext c -> text(c, LiteralText.problem(c.tok.getText(), false));
      case CELParser.BytesContext c ->
          text(c, LiteralText.problem(c.tok.getText().substring(1), true));
      case null -> BROKEN;
      default -> part(ExpressionPart.Kind.OTHER, literal);
    };
  }

  private ExpressionPart text(ParserRuleContext context, String problem) {
    return checked(context, problem.isEmpty(), problem);
  }

  private ExpressionPart checked(ParserRuleContext context, boolean sound, String problem) {
    return sound ? part(ExpressionPart.Kind.OTHER, context) : refuse(context, problem);
  }
}
