package dev.muster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandTree;
import dev.muster.cli.command.PassedFlags;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.build.BuildInfo;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.wire.JsonReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user who does not know Muster yet types, and reads. */
class FirstContactTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    var tree =
        new CommandTree(
            Main.commands(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return tree.run(arguments);
  }

  private String refusal(String... arguments) {
    err.reset();
    assertThat(run(arguments)).isEqualTo(1);
    return err.toString(StandardCharsets.UTF_8).strip();
  }

  private String answer(String... arguments) {
    out.reset();
    assertThat(run(arguments)).as("%s", err).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"ub,up", "api-server,apiserver", "contr,controller-manager", "stauts,status"})
  void asksWhetherAnotherCommandWasMeant(String typed, String meant) {
    assertThat(refusal(typed))
        .isEqualTo(
            "muster: unknown command \"%s\", did you mean %s? (muster --help lists them)"
                .formatted(typed, meant));
  }

  @Test
  void asksNothingWhereNothingIsNear() {
    assertThat(refusal("frob"))
        .isEqualTo("muster: unknown command \"frob\" (muster --help lists them)");
    assertThat(refusal("up", "--nope")).isEqualTo("muster up: unknown flag: --nope");
  }

  @ParameterizedTest
  @CsvSource({
    "up,--sever,--servers",
    "up,--prot=1,--port",
    "apiserver,--etcd_server=x,--etcd-servers",
  })
  void asksWhetherAnotherFlagWasMeant(String command, String typed, String meant) {
    assertThat(refusal(command, typed))
        .startsWith("muster " + command + ": unknown flag: " + typed.replaceFirst("=.*", ""))
        .contains(", did you mean " + meant);
  }

  @ParameterizedTest
  @CsvSource({
    "--event-ttl=5m, the API servers",
    "--kube-api-qps=5, the controller manager",
    "--allow-long-cluster-id, the API servers and the controller manager",
    "--event_ttl=5m, the API servers",
  })
  void saysWhichFlagsStandAfterTwoDashes(String typed, String taker) {
    var name = typed.replaceFirst("=.*", "");
    assertThat(refusal("up", typed))
        .isEqualTo(
            "muster up: unknown flag: %1$s, it is a flag of %2$s: put it after --, as in muster up -- %1$s"
                .formatted(name, taker));
  }

  @Test
  void namesTheComponentsWhoseFlagsStandAfterTwoDashes() {
    assertThat(refusal("up", "--", "--event-tll=5m"))
        .isEqualTo(
            "muster up: unknown flag: --event-tll, did you mean --event-ttl? (after -- stand flags"
                + " of the API servers: muster help apiserver, and of the controller manager:"
                + " muster help controller-manager)");
    assertThat(refusal("up", "--", "--event-ttl=soon"))
        .startsWith("muster up: --event-ttl: ")
        .endsWith(" (after --, a flag of the API servers)");
    assertThat(refusal("up", "--", "--concurrent-gc-syncs=0"))
        .isEqualTo(
            "muster up: --concurrent-gc-syncs: must be at least 1 (after --, a flag of the"
                + " controller manager)");
    assertThat(refusal("up", "--", "--v=x"))
        .endsWith(" (after --, a flag of the API servers and the controller manager)");
    assertThat(refusal("up", "--", "word")).isEqualTo("muster up: unexpected argument \"word\"");
  }

  @Test
  void refusesWhatUpSetsForItsControllerManager() {
    assertThat(refusal("up", "--", "--kubeconfig=x"))
        .isEqualTo(
            "muster up: --kubeconfig: muster up sets it to its own servers (after --, a flag of"
                + " the controller manager)");
    assertThat(refusal("up", "--controllers=*", "--", "--controllers=*,-podgc", "--servers=1"))
        .startsWith("muster up: unknown flag: --servers");
    assertThat(refusal("up", "--controllers=podgc", "--", "--controllers=*,-podgc"))
        .isEqualTo(
            "muster up: --controllers: give it once, before -- or after it (after --, a flag of"
                + " the controller manager)");
  }

  @Test
  void namesAControllerThatThereIsNotBeforeAnythingStarts() {
    assertThat(refusal("up", "--store=memory", "--data=" + folder, "--controllers=*,-deployment"))
        .startsWith(
            "muster up: --controllers: \"deployment\" is not in the list of known controllers: ")
        .contains("certificatesigningrequest-signing-controller", "endpoints-controller");
  }

  @Test
  void flagsThatBothComponentsKnowGoToBoth() {
    var passed = new UpCommand().passed().orElseThrow();
    var split =
        passed.split(
            List.of(
                "--event-ttl",
                "5m",
                "-kube_api_qps=7",
                "--allow-long-cluster-id",
                "-v=2",
                "--bind-address=::1"));
    assertThat(split.get("the API servers"))
        .containsOnlyKeys("event-ttl", "allow-long-cluster-id", "v", "bind-address")
        .containsEntry("event-ttl", List.of("5m"));
    assertThat(split.get("the controller manager"))
        .containsOnlyKeys("kube-api-qps", "allow-long-cluster-id", "v")
        .containsEntry("kube-api-qps", List.of("7"))
        .containsEntry("allow-long-cluster-id", List.of("true"));
  }

  /** Otherwise one text could not be right for both. */
  @Test
  void flagsThatBothComponentsKnowAreOfOneKind() {
    var kinds =
        new UpCommand()
            .passed().stream()
                .map(PassedFlags::components)
                .flatMap(List::stream)
                .flatMap(component -> component.flags().stream())
                .collect(
                    Collectors.groupingBy(
                        FlagDefinition::name,
                        Collectors.mapping(FlagDefinition::placeholder, Collectors.toSet())));
    assertThat(kinds).allSatisfy((flag, found) -> assertThat(found).as(flag).hasSize(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd=", "etcd=,", "etcd=http://127.0.0.1:1,"})
  void anEtcdWithoutAUrlIsCalledThat(String store) {
    assertThat(refusal("up", "--store=" + store))
        .isEqualTo(
            "muster up: --store: \"%s\" lacks a URL, as in etcd=https://127.0.0.1:2379"
                .formatted(store));
  }

  @Test
  void urlsOfEtcdAreShownAsTheyWereTyped() {
    assertThat(refusal("apiserver", "--etcd-servers=a b"))
        .isEqualTo("muster apiserver: --etcd-servers: \"a b\" is not an http or https URL");
  }

  @Test
  void helpOfACommandIsTheSameByBothWays() {
    assertThat(answer("help", "up")).isEqualTo(answer("up", "--help")).contains("--servers");
    assertThat(answer("help")).isEqualTo(answer("--help")).contains("muster help COMMAND");
    assertThat(refusal("help", "ub")).contains("did you mean up?");
  }

  @Test
  void versionNamesCommitDateJavaAndApi() {
    var build = BuildInfo.current();
    assertThat(answer("version"))
        .contains("serving Kubernetes v1.36", "Java    " + System.getProperty("java.version"))
        .contains("commit  " + (build.commit().isEmpty() ? "not known" : build.commit()))
        .contains("date    " + (build.date().isEmpty() ? "not known" : build.date()));
    var json = (JsonObject) JsonReader.read(answer("version", "-o", "json").getBytes(UTF_8));
    assertThat(json.string("kubernetesVersion")).isEqualTo("v1.36");
    assertThat(json.string("gitCommit")).isEqualTo(build.commit());
    assertThat(answer("version", "--output=yaml")).contains("kubernetesVersion: v1.36\n");
    assertThat(answer("--version")).startsWith("Muster ").hasLineCount(1);
    assertThat(answer("up", "--version")).isEqualTo(answer("--version"));
    assertThat(refusal("version", "-o", "xml"))
        .isEqualTo("muster version: --output: \"xml\" is not one of text, json, yaml");
  }

  @Test
  void everyCommandHasHelpThatNamesItsFlags() {
    for (var command : Main.commands()) {
      assertThat(answer(command.name(), "--help"))
          .contains(command.summary().substring(0, 20))
          .satisfies(
              help ->
                  command.flags().forEach(flag -> assertThat(help).contains("--" + flag.name())));
    }
    assertThat(answer("--help"))
        .contains(
            Main.commands().stream()
                .filter(command -> !command.hidden())
                .map(Command::name)
                .toList());
  }

  /** Whatever this machine's user may do: a file is where the folder should be. */
  @Test
  void aDataFolderThatCannotBeMadeIsNamedInOneLine() throws Exception {
    var file = Files.writeString(folder.resolve("file"), "");
    assertThat(refusal("up", "--store=memory", "--data=" + file))
        .isEqualTo(
            "muster up: the data folder %1$s cannot be used: %1$s exists already and is not a folder"
                .formatted(file));
    assertThat(refusal("up", "--store=memory", "--data=" + file.resolve("below")))
        .startsWith("muster up: the data folder " + file.resolve("below") + " cannot be used: ")
        .doesNotContain("Exception");
  }
}
