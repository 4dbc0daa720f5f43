package dev.muster.server.flags;

import dev.muster.server.options.flag.FileKind;

/**
 * One flag as the help shows it: its heading, its name without dashes, a placeholder for its value,
 * its description and its default ("" for none).
 *
 * @param file the type of file that its value names
 */
public record FlagDefinition(
    String group,
    String name,
    boolean isBoolean,
    String placeholder,
    String help,
    String byDefault,
    FileKind file) {}
