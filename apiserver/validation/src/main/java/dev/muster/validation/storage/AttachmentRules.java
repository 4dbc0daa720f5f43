package dev.muster.validation.storage;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import dev.muster.validation.StatusMetadata;

/** The strategy of VolumeAttachments. */
public final class AttachmentRules {
  private static final String ONE_SOURCE =
      "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  private static final int MOST_MESSAGE_BYTES = 1024;

  private static final Rule ATTACHMENT =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          field(
              "spec",
              field("attacher", VolumeSources::driverName),
              field("source", AttachmentRules::source),
              field("nodeName", name -> name.invalidEach(Names.dnsSubdomain(name.text())))),
          field(
              "status",
              field("attachmentMetadata", AttachmentRules::size),
              field("attachError", AttachmentRules::failure),
              field("detachError", AttachmentRules::failure)),
          ifPresent(
              "spec.source.persistentVolumeName",
              name -> name.invalidEach(Names.dnsSubdomain(name.text()))));

  private static final Rule UPDATE = Rule.all(ATTACHMENT, field("spec", immutable()));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(
              in(
                  "spec",
                  in(
                      "source",
                      in(
                          "inlineVolumeSpec",
                          Resources.rounded("capacity"),
                          VolumeSources.DEFAULTS))))
          .status()
          .prepareStatusUpdate(StatusMetadata::kept)
          .create(ATTACHMENT)
          .update(UPDATE)
          .statusUpdate(UPDATE)
          .refusesUnconditionalUpdate()
          .answersDeleteWithObject()
          .build();

  private AttachmentRules() {}

  private static void source(FieldCursor source) {
    var inline = source.at("inlineVolumeSpec");
    var name = source.at("persistentVolumeName");
    if (inline.isAbsent() && name.isAbsent()) {
      source.required(ONE_SOURCE);
    } else if (inline.isPresent() && name.isPresent()) {
      source.forbidden(ONE_SOURCE);
    } else if (name.isPresent() && name.isEmpty()) {
      name.required("must specify non empty persistentVolumeName");
    } else if (inline.isPresent()) {
      InlineVolumes.check(inline);
    }
  }

  private static void size(FieldCursor metadata) {
    if (StorageParameters.bytes(metadata) > StorageParameters.MOST_BYTES) {
      metadata.tooLong(StorageParameters.MOST_BYTES);
    }
  }

  /** Like upstream, the error for a message that is too long shows the size limit of metadata. */
  private static void failure(FieldCursor failure) {
    if (GoText.bytes(failure.at("message").text()) > MOST_MESSAGE_BYTES) {
      failure.at("message").tooLong(StorageParameters.MOST_BYTES);
    }
    var code = failure.at("errorCode");
    if (code.integer() < 0) {
      code.invalidEach(NumberRules.range(code.integer(), 0, Integer.MAX_VALUE));
    }
  }
}
