package dev.muster.validation.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachmentRulesTest {
  private static final Verdicts ATTACHMENT = new Verdicts(AttachmentRules.STRATEGY, false);
  private static final String CSI =
      "'accessModes':['ReadWriteOnce'],'csi':{'driver':'d','volumeHandle':'h'}";

  private static String from(String source) {
    return "{'spec':{'attacher':'d','nodeName':'n','source':{" + source + "}}}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'nodeLabel':1 | : Required value: must specify exactly one of inlineVolumeSpec and"
            + " persistentVolumeName",
        "'persistentVolumeName':'p','inlineVolumeSpec':{} | : Forbidden: must specify exactly one"
            + " of inlineVolumeSpec and persistentVolumeName",
      })
  void oneVolumeIsAttached(String source, String error) {
    assertThat(ATTACHMENT.create(from(source))).containsExactly("spec.source" + error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'capacity':{'storage':'1Gi'} | capacity: Forbidden: may not be specified in the context of"
            + " inline volumes",
        "'claimRef':{} | claimRef: Forbidden: may not be specified in the context of inline"
            + " volumes",
        "'nodeAffinity':{} | nodeAffinity: Forbidden: may not be specified in the context of inline"
            + " volumes",
        "'storageClassName':'c' | storageClassName: Forbidden: may not be specified in the context"
            + " of inline volumes",
        "'persistentVolumeReclaimPolicy':'Delete' | persistentVolumeReclaimPolicy: Forbidden: may"
            + " only be Retain in the context of inline volumes",
        "'volumeMode':'Block' | volumeMode: Forbidden: may not specify volumeMode other than"
            + " Filesystem in the context of inline volumes",
      })
  void aVolumeInTheAttachmentIsPlain(String member, String error) {
    var start = "'inlineVolumeSpec':{" + CSI;
    assertThat(ATTACHMENT.create(from(start + "}"))).isEmpty();
    assertThat(ATTACHMENT.create(from(start + "," + member + "}")))
        .containsExactly("spec.source.inlineVolumeSpec." + error);
  }

  @Test
  void somebodyAttachesToANode() {
    assertThat(ATTACHMENT.create("{'spec':{'source':{'persistentVolumeName':'p'}}}"))
        .hasSize(2)
        .contains("spec.attacher: Required value")
        .anyMatch(error -> error.startsWith("spec.nodeName: Invalid value: \"\": a lowercase"));
  }

  @Test
  void theWishStays() {
    var old = from("'persistentVolumeName':'p'");
    assertThat(ATTACHMENT.update(old, old.replace("'p'", "'q'")))
        .singleElement()
        .asString()
        .startsWith("spec: Invalid value: {")
        .endsWith("}: field is immutable");
  }

  @Test
  void whatCameOfItIsChecked() {
    var old = from("'persistentVolumeName':'p'");
    assertThat(
            ATTACHMENT.statusUpdate(
                old,
                "{'status':{'attachError':{'message':'"
                    + "m".repeat(1025)
                    + "','errorCode':-1},'attachmentMetadata':{'k':'"
                    + "v".repeat(256 * 1024)
                    + "'}}}"))
        .containsExactly(
            "status.attachmentMetadata: Too long: may not be more than 262144 bytes",
            "status.attachError.message: Too long: may not be more than 262144 bytes",
            "status.attachError.errorCode: Invalid value: -1: must be between 0 and 2147483647,"
                + " inclusive");
  }

  @Test
  void aStatusUpdateLeavesLabelsAlone() {
    var old = ATTACHMENT.prepared(from("'persistentVolumeName':'p'"));
    var sent = old.withAt(Json.of("b"), "metadata", "labels", "a");
    assertThat(
            AttachmentRules.STRATEGY
                .prepareForStatusUpdate(sent, old)
                .object("metadata")
                .has("labels"))
        .isFalse();
  }
}
