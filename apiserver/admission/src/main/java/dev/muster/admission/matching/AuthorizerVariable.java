package dev.muster.admission.matching;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.cel.value.Authorization;
import dev.muster.model.User;
import org.jspecify.annotations.Nullable;

/**
 * The CEL variables with which expressions check rights of the requesting user or of service
 * accounts.
 */
final class AuthorizerVariable {
  private AuthorizerVariable() {}

  /** The variable {@code authorizer}. */
  static Authorization.Authorizer of(Authorizer authorizer, User user) {
    return new Authorization.Authorizer(question -> review(authorizer, user, question), null);
  }

  /**
   * The variable {@code authorizer.requestResource}: the resource of the request, without the verb.
   */
  static Authorization.ResourceCheck requested(
      Authorizer authorizer, AdmissionAttributes attributes) {
    var request = attributes.request();
    var resource = request.resource();
    return new Authorization.ResourceCheck(
        of(authorizer, request.user()),
        resource.group(),
        resource.resource(),
        request.subresource(),
        attributes.namespace(),
        attributes.name());
  }

  private static Authorization.Decision review(
      Authorizer authorizer, User sender, Authorization.Question question) {
    var user = user(sender, question.account());
    var decision =
        authorizer.authorize(
            question.path().isEmpty()
                ? Attributes.resource(
                    user,
                    question.verb(),
                    question.group(),
                    "*",
                    question.resource(),
                    question.subresource(),
                    question.namespace(),
                    question.name())
                : Attributes.path(user, question.verb(), question.path()));
    return new Authorization.Decision(decision.allowed(), decision.reason(), decision.error());
  }

  private static User user(User sender, Authorization.@Nullable ServiceAccount account) {
    return account == null
        ? sender
        : User.of(
            User.SERVICE_ACCOUNT_PREFIX + account.namespace() + ":" + account.name(),
            "system:serviceaccounts",
            "system:serviceaccounts:" + account.namespace(),
            User.ALL_AUTHENTICATED);
  }
}
