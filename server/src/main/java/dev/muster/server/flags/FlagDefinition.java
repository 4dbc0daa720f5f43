package dev.muster.server.flags;

/**
 * One flag as the help shows it: its heading, its name without dashes, a word for its value, what
 * it does and what holds without it ("" for nothing worth saying).
 */
public record FlagDefinition(
    String group,
    String name,
    boolean isBoolean,
    String placeholder,
    String help,
    String byDefault) {}
