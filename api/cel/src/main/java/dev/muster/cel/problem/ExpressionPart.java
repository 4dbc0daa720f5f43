package dev.muster.cel.problem;

/**
 * A part of an expression for the checks of macros: its kind and its position in messages.
 *
 * @param name the name of an identifier
 * @param line counted from 1
 * @param column counted from 0
 */
record ExpressionPart(Kind kind, String name, int line, int column) {
  enum Kind {
    IDENTIFIER,
    SELECTION,
    CALL,
    LIST,
    LOOP,
    OTHER
  }
}
