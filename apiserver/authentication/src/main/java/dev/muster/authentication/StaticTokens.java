package dev.muster.authentication;

import dev.muster.model.FileProblems;
import dev.muster.model.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of {@code --token-auth-file}: lines of {@code token,user,uid} and an optional fourth
 * column of quoted groups. Immutable. Keeps hashes, not tokens.
 */
public final class StaticTokens implements TokenAuthenticator {
  private static final Logger log = LoggerFactory.getLogger(StaticTokens.class);

  private final Map<TokenHash, TokenUser> users;
  private final Audiences audiences;

  private StaticTokens(Map<TokenHash, TokenUser> users, Audiences audiences) {
    this.users = users;
    this.audiences = audiences;
  }

  /**
   * @param audiences this server's audiences, which every token has
   * @throws IllegalArgumentException when a line has fewer than three columns
   */
  public static StaticTokens of(Path file, List<String> audiences) {
    try {
      return parse(Files.readString(file), file.toString(), audiences);
    } catch (IOException e) {
      throw FileProblems.unchecked(file, e);
    }
  }

  static StaticTokens parse(String text, String file, List<String> audiences) {
    var users = new HashMap<TokenHash, TokenUser>();
    int number = 0;
    for (var line : CsvLines.parse(text)) {
      if (line.size() < 3) {
        throw new IllegalArgumentException(
            "token file '%s' must have at least 3 columns (token, user name, user uid), found %d"
                .formatted(file, line.size()));
      }
      number++;
      if (line.getFirst().isEmpty()) {
        log.warn("empty token has been found in token file '{}', record number '{}'", file, number);
        continue;
      }
      var groups = line.size() > 3 ? List.of(line.get(3).split(",", -1)) : List.<String>of();
      var user = new User(line.get(1), line.get(2), groups, Map.of()).authenticated();
      var hash = TokenHash.of(line.getFirst());
      if (users.put(hash, new TokenUser(user, audiences)) != null) {
        log.warn(
            "duplicate token has been found in token file '{}', record number '{}'", file, number);
      }
    }
    return new StaticTokens(Map.copyOf(users), new Audiences(audiences));
  }

  @Override
  public @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> wanted) {
    var found = users.get(bearerToken.hash());
    return found == null || wanted.isEmpty() ? found : audiences.limit(found.user(), wanted);
  }
}
