package dev.muster.cel.problem;

/**
 * A part of an expression as far as macros look at it: what it is, and where it is said to be.
 *
 * @param name of an identifier
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
