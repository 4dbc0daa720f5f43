/** Strategies of workloads with pod templates, autoscalers and disruption budgets. */
@NullMarked
package dev.muster.validation.apps;

import org.jspecify.annotations.NullMarked;
