/* SDN, a software-defined network: two switches in a row and a controller. Two packets of a host
   reach the first switch; one for which a switch has no rule is held back and the controller is
   asked, which installs rules in both switches and lets the packet go. A packet that reaches the
   second switch before its rule does violates the policy, and is counted.
   Guessed: the paper says only that the model has 490 lines and violates a safety policy. */
#include "tasks.h"

enum { NONE, FORWARD };

int rule[2], asked, delivered, violations;

void *__VERIFIER_atomic_second(void *unused) {
  if (rule[1] == FORWARD)
    delivered++;
  else
    violations++;
  return 0;
}

void *__VERIFIER_atomic_install(void *number) {
  rule[(long)number] = FORWARD;
  return 0;
}

void *__VERIFIER_atomic_release(void *unused) {
  post(__VERIFIER_atomic_second, 0);
  return 0;
}

void *__VERIFIER_atomic_ask(void *unused) {
  if (!asked) {
    asked = 1;
    post(__VERIFIER_atomic_install, 0);
    post(__VERIFIER_atomic_install, 1);
  }
  post(__VERIFIER_atomic_release, 0);
  return 0;
}

void *__VERIFIER_atomic_first(void *unused) {
  post(rule[0] == FORWARD ? __VERIFIER_atomic_second : __VERIFIER_atomic_ask, 0);
  return 0;
}

int main(void) {
  __VERIFIER_atomic_begin();
  post(__VERIFIER_atomic_first, 0);
  post(__VERIFIER_atomic_first, 0);
  __VERIFIER_atomic_end();
  pthread_exit(0);
}
