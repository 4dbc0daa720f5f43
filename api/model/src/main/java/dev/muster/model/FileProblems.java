package dev.muster.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes file errors for users. The JDK puts the reason into the name of the exception class,
 * which messages must not show.
 */
public final class FileProblems {
  private FileProblems() {}

  /**
   * A text such as {@code /etc/a does not exist}. It names the file in the exception, or else the
   * given file.
   */
  public static String text(Path file, IOException failure) {
    var named = failure instanceof FileSystemException known ? known.getFile() : null;
    return (named == null ? file.toString() : named) + words(failure);
  }

  /** The same for an exception without a known file. */
  public static String text(IOException failure) {
    var named = failure instanceof FileSystemException known ? known.getFile() : null;
    var words = words(failure);
    return named != null ? named + words : words.startsWith(": ") ? words.substring(2) : words;
  }

  /** The same for a wrapped exception. */
  public static String text(UncheckedIOException failure) {
    var message = failure.getMessage();
    var cause = Objects.requireNonNull(failure.getCause());
    // If the exception has its own message, that message is readable already.
    return message == null || message.equals(String.valueOf(cause)) ? text(cause) : message;
  }

  /** An unchecked exception with a readable message. */
  public static UncheckedIOException unchecked(Path file, IOException failure) {
    return new UncheckedIOException(text(file, failure), failure);
  }

  /** The reason, which follows the name of the file. */
  private static String words(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> " does not exist";
      case FileAlreadyExistsException _ -> " exists already and is not a folder";
      case NotDirectoryException _ -> " is not a folder";
      case DirectoryNotEmptyException _ -> " is not empty";
      case AccessDeniedException _ -> ": permission denied";
      case FileSystemLoopException _ -> " is a link that leads to itself";
      case CharacterCodingException _ -> " is not text in UTF-8";
      case FileSystemException known -> words(known.getReason());
      default -> words(failure.getMessage());
    };
  }

  /** The reason in the words of the operating system. */
  private static String words(@Nullable String reason) {
    if (reason == null || reason.isBlank()) {
      return ": cannot be read or written";
    }
    if (reason.equals("Is a directory")) {
      return " is a folder";
    }
    if (reason.equals("Not a directory")) {
      return ": a part of its path is not a folder";
    }
    var line = reason.lines().findFirst().orElse(reason);
    return ": " + line.substring(0, 1).toLowerCase(Locale.ROOT) + line.substring(1);
  }
}
