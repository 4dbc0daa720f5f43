package dev.muster.cel.problem;

import cel.parser.internal.CELLexer;
import cel.parser.internal.CELParser;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.runtime.tree.ErrorNode;
import org.antlr.v4.runtime.tree.ParseTreeListener;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/**
 * Finds syntax errors, with kube-apiserver's messages. The grammar is the same, but
 * kube-apiserver's parser lists only the tokens that can follow the position where it stopped, and
 * gives up earlier. Only one thread uses it, for one expression that is known to be invalid.
 */
public final class SyntaxProblems extends BaseErrorListener {
  private static final String PREFIX = "Syntax error: ";
  private static final int MOST_ERRORS = 100;
  private static final int MOST_RECOVERIES = 30;
  private static final int MOST_SKIPPED = 256;
  private static final int DEEPEST = 250;
  private static final Pattern RESERVED =
      Pattern.compile("no viable alternative at input '.(true|false|null)'");

  private final List<CelIssue> found = new ArrayList<>();

  private SyntaxProblems() {}

  /**
   * All errors of an expression that does not parse; none if only the library reports one.
   *
   * @param bindings whether {@code cel.bind} is available
   */
  public static List<CelIssue> of(String expression, boolean bindings) {
    var problems = new SyntaxProblems();
    try {
      var tree = problems.parse(expression);
      problems.found.addAll(FormProblems.of(tree, bindings));
    } catch (ParseCancellationException e) {
      // The error that ended the parser is among the reported ones.
    }
    return problems.found;
  }

  private CELParser.StartContext parse(String expression) {
    var lexer =
        new CELLexer(CharStreams.fromString(expression)) {
          @Override
          public String getErrorDisplay(String text) {
            return text;
          }
        };
    lexer.removeErrorListeners();
    lexer.addErrorListener(this);
    var parser = new CELParser(new CommonTokenStream(lexer));
    parser.removeErrorListeners();
    parser.addErrorListener(this);
    parser.addParseListener(new Depth());
    parser.setErrorHandler(new Recovery());
    return parser.start();
  }

  @Override
  public void syntaxError(
      Recognizer<?, ?> recognizer,
      @Nullable Object symbol,
      int line,
      int column,
      String message,
      @Nullable RecognitionException e) {
    boolean many = found.size() >= MOST_ERRORS;
    var text =
        many
            ? "More than " + MOST_ERRORS + " syntax errors"
            : RESERVED.matcher(message).replaceAll("mismatched input '$1' expecting IDENTIFIER");
    found.add(CelIssue.formatError(CelSourceLocation.of(line, column), PREFIX + text));
    if (many) {
      throw new ParseCancellationException(text);
    }
  }

  private ParseCancellationException giveUp(String text) {
    found.add(CelIssue.formatError(CelSourceLocation.NONE, text));
    return new ParseCancellationException(text);
  }

  /** Stops when rules of one kind nest too deeply. */
  private final class Depth implements ParseTreeListener {
    private final int[] depths = new int[CELParser.ruleNames.length];

    @Override
    public void enterEveryRule(ParserRuleContext context) {
      if (++depths[context.getRuleIndex()] > DEEPEST) {
        throw giveUp("expression recursion limit exceeded: " + DEEPEST);
      }
    }

    @Override
    public void exitEveryRule(ParserRuleContext context) {
      depths[context.getRuleIndex()]--;
    }

    @Override
    public void visitTerminal(TerminalNode node) {}

    @Override
    public void visitErrorNode(ErrorNode node) {}
  }

  /** How the parser continues after an error. */
  private final class Recovery extends DefaultErrorStrategy {
    private int attempts;

    @Override
    public void recover(Parser recognizer, RecognitionException e) {
      attempt(recognizer);
      int before = recognizer.getInputStream().index();
      super.recover(recognizer, e);
      if (recognizer.getInputStream().index() - before > MOST_SKIPPED) {
        throw giveUp("error recovery token lookahead limit exceeded: " + MOST_SKIPPED);
      }
    }

    @Override
    public Token recoverInline(Parser recognizer) {
      attempt(recognizer);
      nextTokensContext = null;
      return super.recoverInline(recognizer);
    }

    private void attempt(Parser recognizer) {
      if (attempts++ == MOST_RECOVERIES) {
        var text = "error recovery attempt limit exceeded: " + MOST_RECOVERIES;
        recognizer.notifyErrorListeners(text);
        throw new ParseCancellationException(text);
      }
    }
  }
}
