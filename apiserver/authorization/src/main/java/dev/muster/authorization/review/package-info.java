/** The review APIs: TokenReview, SelfSubjectReview and the access reviews. */
@NullMarked
package dev.muster.authorization.review;

import org.jspecify.annotations.NullMarked;
