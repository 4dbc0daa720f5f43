/** The reviews by which clients ask who somebody is and what he may do. */
@NullMarked
package dev.muster.authorization.review;

import org.jspecify.annotations.NullMarked;
