package dev.muster.authorization.abac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.PolicyRule;
import dev.muster.model.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies of a file, in both of their forms. */
class AbacAuthorizerTest {
  private static final String VERSIONED =
      "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":";

  @TempDir Path folder;

  private AbacAuthorizer file(String... lines) {
    try {
      return AbacAuthorizer.read(
          Files.writeString(folder.resolve("policy.jsonl"), String.join("\n", lines)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static User user(String name, String... groups) {
    return User.of(name, groups);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'user':'jane','namespace':'a','resource':'pods','apiGroup':''} | get pods a | true",
        "{'user':'jane','namespace':'a','resource':'pods','apiGroup':''} | delete pods a | true",
        "{'user':'jane','namespace':'a','resource':'pods','apiGroup':''} | get pods b | false",
        "{'user':'jane','namespace':'a','resource':'pods','apiGroup':''} | get secrets a | false",
        "{'user':'jane','namespace':'a','resource':'pods','apiGroup':'apps'} | get pods a | false",
        "{'user':'jane','namespace':'*','resource':'*','apiGroup':'*'} | get pods b | true",
        "{'user':'jane','readonly':true,'namespace':'*','resource':'*','apiGroup':'*'} | watch pods"
            + " b | true",
        "{'user':'jane','readonly':true,'namespace':'*','resource':'*','apiGroup':'*'} | create"
            + " pods b | false",
        "{'user':'joe','namespace':'*','resource':'*','apiGroup':'*'} | get pods a | false",
        "{'group':'devs','namespace':'*','resource':'*','apiGroup':'*'} | get pods a | true",
        "{'group':'ops','namespace':'*','resource':'*','apiGroup':'*'} | get pods a | false",
        "{'user':'jane','group':'ops','namespace':'*','resource':'*','apiGroup':'*'} | get pods a |"
            + " false",
        "{'user':'*','namespace':'*','resource':'*','apiGroup':'*'} | get pods a | true",
        "{'namespace':'*','resource':'*','apiGroup':'*'} | get pods a | false",
        "{'user':'jane','nonResourcePath':'/version'} | get /version | true",
        "{'user':'jane','nonResourcePath':'/api*'} | get /apis/apps | true",
        "{'user':'jane','nonResourcePath':'*'} | get /x | true",
        "{'user':'jane','nonResourcePath':'*'} | get pods a | false",
        "{'user':'jane','namespace':'*','resource':'*','apiGroup':'*'} | get /x | false",
        "{'user':'jane','readonly':true,'nonResourcePath':'*'} | post /x | false",
      })
  void aVersionedPolicySaysWhatItMeans(String spec, String question, boolean allowed) {
    check(VERSIONED + spec.replace('\'', '"') + "}", question, allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'user':'jane'} | get pods a | true",
        "{'user':'jane'} | get /x | true",
        "{'user':'jane','namespace':'a'} | get /x | false",
        "{'user':'jane','namespace':'a'} | get pods b | false",
        "{'user':'jane','resource':'pods'} | get secrets a | false",
        "{} | create pods a | true",
        "{'user':'*'} | create pods a | true",
        "{'readonly':true} | create pods a | false",
        "{'group':'ops'} | get pods a | false",
      })
  void inTheOldFormAnEmptyFieldMeansEverything(String policy, String question, boolean allowed) {
    check(policy.replace('\'', '"'), question, allowed);
  }

  private void check(String line, String question, boolean allowed) {
    var words = question.strip().split(" ");
    var jane = user("jane", "devs", User.ALL_AUTHENTICATED);
    var attributes =
        words.length == 2
            ? Attributes.path(jane, words[0], words[1])
            : Attributes.resource(jane, words[0], "", "v1", words[1], "", words[2], "x");
    var decision = file("# a comment", "", line).authorize(attributes);
    assertThat(decision.allowed()).isEqualTo(allowed);
    assertThat(decision.reason()).isEqualTo(allowed ? "" : "No policy matched.");
  }

  @Test
  void everybodyMeansThoseWhoHaveCredentials() {
    var stranger = user(User.ANONYMOUS_NAME, User.ALL_UNAUTHENTICATED);
    var get = Attributes.resource(stranger, "get", "", "v1", "pods", "", "a", "x");
    assertThat(file("{}").authorize(get).allowed()).isFalse();
    assertThat(
            file(VERSIONED + "{\"user\":\"*\",\"namespace\":\"*\",\"resource\":\"*\"}}")
                .authorize(get)
                .allowed())
        .isFalse();
  }

  @Test
  void rulesCanBeListed() {
    var rules =
        file(
                VERSIONED + "{\"user\":\"jane\",\"namespace\":\"a\",\"resource\":\"pods\"}}",
                VERSIONED
                    + "{\"user\":\"jane\",\"readonly\":true,\"namespace\":\"*\",\"nonResourcePath\":\"/x\"}}")
            .rulesFor(user("jane"), "a");
    var none = List.<String>of();
    assertThat(rules.incomplete()).isFalse();
    assertThat(rules.rules())
        .containsExactly(
            new PolicyRule(List.of("*"), List.of(""), List.of("pods"), none, none),
            new PolicyRule(List.of("get", "list", "watch"), none, none, none, List.of("/x")));
  }

  @Test
  void aBrokenLineIsNamed() {
    assertThatThrownBy(() -> file("{}", "{nonsense"))
        .hasMessageStartingWith("error reading policy file ")
        .hasMessageContaining("policy.jsonl, line 2: {nonsense: ");
    assertThatThrownBy(() -> file("{\"kind\":\"Policy\",\"apiVersion\":\"x/v9\"}"))
        .hasMessageContaining("no kind \"Policy\" is registered for version \"x/v9\"");
    assertThatThrownBy(() -> file("{\"user\":7}")).hasMessageContaining("user: unexpected");
    assertThatThrownBy(() -> file("{\"user\":\"" + "x".repeat(70_000) + "\"}"))
        .hasMessageEndingWith("bufio.Scanner: token too long");
  }
}
