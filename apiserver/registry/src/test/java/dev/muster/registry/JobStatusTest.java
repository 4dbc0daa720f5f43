package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobStatusTest {
  private static final String JOBS = "batch/v1/jobs";
  private static final String DONE =
      "{'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T00:01:00Z','succeeded':1,"
          + "'conditions':[{'type':'SuccessCriteriaMet','status':'True'},"
          + "{'type':'Complete','status':'True'}]}";

  private final Workbench bench = new Workbench();

  @BeforeEach
  void aJob() {
    bench.create(
        JOBS,
        "{'metadata':{'name':'j'},'spec':{'completions':3,'template':{'spec':{"
            + "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void status(String status) {
    bench.patch(JOBS, "j", "status", "{'status':" + status + "}");
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused(String status) {
    return assertThatThrownBy(() -> status(status));
  }

  @Test
  void countersOnlyGrow() {
    status("{'succeeded':2}");
    refused("{'succeeded':1}")
        .hasMessageEndingWith(
            "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter");
  }

  @Test
  void whatIsDoneStaysDone() {
    status(DONE);
    refused("{'conditions':[{'type':'Failed','status':'True'}]}")
        .hasMessageContaining("cannot disable the terminal Complete=True condition");
    refused("{'completionTime':null}")
        .hasMessageEndingWith(
            "status.completionTime: Required value: completionTime is required for Complete jobs");
    refused("{'active':1}")
        .hasMessageEndingWith(
            "status.active: Invalid value: 1: active>0 is invalid for finished job");
  }

  @Test
  void failuresAreAnnounced() {
    refused("{'startTime':'2026-01-01T00:00:00Z','conditions':[{'type':'Failed','status':'True'}]}")
        .hasMessageEndingWith(
            "status.conditions: Invalid value: cannot set Failed=True condition without the"
                + " FailureTarget=true condition");
  }

  @Test
  void indexesAreForIndexedJobs() {
    refused("{'completedIndexes':'0,5'}")
        .hasMessageContaining("error parsing completedIndexes: too large index: \"5\"")
        .hasMessageContaining(
            "cannot set non-empty completedIndexes when non-indexed completion mode");
  }

  @Test
  void whoManagesAJobHasADomain() {
    assertThatThrownBy(
            () ->
                bench.create(
                    JOBS,
                    "{'metadata':{'name':'k'},'spec':{'managedBy':'me','template':{'spec':{"
                        + "'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}}"))
        .hasMessageEndingWith(
            "spec.managedBy: Invalid value: \"me\": must be a domain-prefixed path (such as"
                + " \"acme.io/foo\")");
  }
}
