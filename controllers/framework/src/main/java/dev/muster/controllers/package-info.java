/** What all controllers have in common. */
@NullMarked
package dev.muster.controllers;

import org.jspecify.annotations.NullMarked;
