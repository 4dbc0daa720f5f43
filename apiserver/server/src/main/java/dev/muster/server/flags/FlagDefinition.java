package dev.muster.server.flags;

import dev.muster.server.options.flag.FileKind;

/**
 * One flag as the help shows it: its heading, its name without dashes, a word for its value, what
 * it does and what holds without it ("" for nothing worth saying).
 *
 * @param file what its value is a file of
 */
public record FlagDefinition(
    String group,
    String name,
    boolean isBoolean,
    String placeholder,
    String help,
    String byDefault,
    FileKind file) {}
