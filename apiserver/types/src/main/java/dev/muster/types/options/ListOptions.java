package dev.muster.types.options;

import dev.muster.model.GroupKind;
import dev.muster.model.MalformedValueException;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** The validated options of list, watch and deletecollection requests. */
public record ListOptions(
    String labelSelector,
    String fieldSelector,
    boolean watch,
    boolean allowWatchBookmarks,
    String resourceVersion,
    String resourceVersionMatch,
    long timeoutSeconds,
    long limit,
    String continueToken,
    boolean sendInitialEvents) {

  private static final GroupKind KIND = new GroupKind("meta.k8s.io", "ListOptions");
  private static final FieldPath MATCH = FieldPath.of("resourceVersionMatch");

  public static final String EXACT = "Exact";
  public static final String NOT_OLDER_THAN = "NotOlderThan";

  /** Parses and validates the options; {@code watchPath} tells that the path requests a watch. */
  public static ListOptions parse(Query query, boolean watchPath) {
    var options =
        new ListOptions(
            query.first("labelSelector"),
            query.first("fieldSelector"),
            watchPath || query.isTrue("watch"),
            query.isTrue("allowWatchBookmarks"),
            query.first("resourceVersion"),
            query.first("resourceVersionMatch"),
            query.integer("timeoutSeconds", 0),
            query.integer("limit", 0),
            query.first("continue"),
            query.isTrue("sendInitialEvents"));
    var errors = new ArrayList<FieldError>();
    if (query.isTrue("watch")) {
      options.checkWatch(query.has("sendInitialEvents"), errors);
    } else {
      options.checkList(query.has("sendInitialEvents"), errors);
    }
    if (!errors.isEmpty()) {
      options.checkSelectors();
      throw ApiException.invalid(KIND, "", errors);
    }
    return options;
  }

  /** These options for the initial state of a watch, which is never paged. */
  public ListOptions withoutPaging() {
    return new ListOptions(
        labelSelector,
        fieldSelector,
        watch,
        allowWatchBookmarks,
        resourceVersion,
        resourceVersionMatch,
        timeoutSeconds,
        0,
        "",
        sendInitialEvents);
  }

  /** Malformed selectors are reported before all other errors. */
  private void checkSelectors() {
    try {
      LabelSelector.parse(labelSelector);
      FieldSelector.parse(fieldSelector);
    } catch (MalformedValueException e) {
      throw ApiException.badRequest(e.text());
    }
  }

  private void checkList(boolean initialEventsGiven, List<FieldError> errors) {
    if (!resourceVersionMatch.isEmpty()) {
      checkMatch(errors);
    }
    if (initialEventsGiven) {
      errors.add(
          FieldError.forbidden(
              FieldPath.of("sendInitialEvents"), "sendInitialEvents is forbidden for list"));
    }
  }

  private void checkMatch(List<FieldError> errors) {
    if (resourceVersion.isEmpty()) {
      errors.add(
          FieldError.forbidden(
              MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!continueToken.isEmpty()) {
      errors.add(
          FieldError.forbidden(
              MATCH, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (!resourceVersionMatch.equals(EXACT) && !resourceVersionMatch.equals(NOT_OLDER_THAN)) {
      errors.add(
          FieldError.notSupported(MATCH, resourceVersionMatch, List.of(EXACT, NOT_OLDER_THAN, "")));
    }
    if (resourceVersionMatch.equals(EXACT) && resourceVersion.equals("0")) {
      errors.add(
          FieldError.forbidden(
              MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
  }

  private void checkWatch(boolean initialEventsGiven, List<FieldError> errors) {
    if (initialEventsGiven && !resourceVersionMatch.equals(NOT_OLDER_THAN)) {
      errors.add(
          FieldError.forbidden(
              MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    }
    if (!initialEventsGiven && !resourceVersionMatch.isEmpty()) {
      errors.add(
          FieldError.forbidden(
              MATCH,
              "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
    }
    if (!resourceVersionMatch.isEmpty() && !resourceVersionMatch.equals(NOT_OLDER_THAN)) {
      errors.add(FieldError.notSupported(MATCH, resourceVersionMatch, List.of(NOT_OLDER_THAN)));
    }
    boolean fromState = resourceVersion.isEmpty() || resourceVersion.equals("0");
    boolean matches = !resourceVersionMatch.isEmpty() || (!initialEventsGiven && fromState);
    if (matches && !continueToken.isEmpty()) {
      errors.add(
          FieldError.forbidden(
              MATCH, "resourceVersionMatch is forbidden when continue is provided"));
    }
  }
}
