/* Lists and queues as macros (queue(3)): singly linked lists and tail queues, lists, tail queues. */
#ifndef ABPRESS_SYS_QUEUE_H
#define ABPRESS_SYS_QUEUE_H
#include <stddef.h>

/* Singly linked lists. */
#define SLIST_HEAD(name, type) \
  struct name { \
    struct type *slh_first; \
  }
#define SLIST_HEAD_INITIALIZER(head) {NULL}
#define SLIST_ENTRY(type) \
  struct { \
    struct type *sle_next; \
  }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(element, field) ((element)->field.sle_next)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == NULL)
#define SLIST_INIT(head) ((void)(SLIST_FIRST(head) = NULL))
#define SLIST_INSERT_HEAD(head, element, field) \
  do { \
    SLIST_NEXT(element, field) = SLIST_FIRST(head); \
    SLIST_FIRST(head) = (element); \
  } while (0)
#define SLIST_INSERT_AFTER(place, element, field) \
  do { \
    SLIST_NEXT(element, field) = SLIST_NEXT(place, field); \
    SLIST_NEXT(place, field) = (element); \
  } while (0)
#define SLIST_REMOVE_HEAD(head, field) \
  ((void)(SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field)))
#define SLIST_REMOVE(head, element, type, field) \
  do { \
    struct type **abpress_link = &SLIST_FIRST(head); \
    while (*abpress_link != (element)) \
      abpress_link = &SLIST_NEXT(*abpress_link, field); \
    *abpress_link = SLIST_NEXT(*abpress_link, field); \
  } while (0)
#define SLIST_FOREACH(variable, head, field) \
  for ((variable) = SLIST_FIRST(head); (variable); (variable) = SLIST_NEXT(variable, field))

/* Lists that are linked both ways: each element knows the pointer that points to it. */
#define LIST_HEAD(name, type) \
  struct name { \
    struct type *lh_first; \
  }
#define LIST_HEAD_INITIALIZER(head) {NULL}
#define LIST_ENTRY(type) \
  struct { \
    struct type *le_next; \
    struct type **le_prev; \
  }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(element, field) ((element)->field.le_next)
#define LIST_EMPTY(head) (LIST_FIRST(head) == NULL)
#define LIST_INIT(head) ((void)(LIST_FIRST(head) = NULL))
#define LIST_INSERT_HEAD(head, element, field) \
  do { \
    LIST_NEXT(element, field) = LIST_FIRST(head); \
    if (LIST_FIRST(head) != NULL) \
      LIST_FIRST(head)->field.le_prev = &LIST_NEXT(element, field); \
    LIST_FIRST(head) = (element); \
    (element)->field.le_prev = &LIST_FIRST(head); \
  } while (0)
#define LIST_INSERT_AFTER(place, element, field) \
  do { \
    LIST_NEXT(element, field) = LIST_NEXT(place, field); \
    if (LIST_NEXT(place, field) != NULL) \
      LIST_NEXT(place, field)->field.le_prev = &LIST_NEXT(element, field); \
    LIST_NEXT(place, field) = (element); \
    (element)->field.le_prev = &LIST_NEXT(place, field); \
  } while (0)
#define LIST_INSERT_BEFORE(place, element, field) \
  do { \
    (element)->field.le_prev = (place)->field.le_prev; \
    LIST_NEXT(element, field) = (place); \
    *(place)->field.le_prev = (element); \
    (place)->field.le_prev = &LIST_NEXT(element, field); \
  } while (0)
#define LIST_REMOVE(element, field) \
  do { \
    if (LIST_NEXT(element, field) != NULL) \
      LIST_NEXT(element, field)->field.le_prev = (element)->field.le_prev; \
    *(element)->field.le_prev = LIST_NEXT(element, field); \
  } while (0)
#define LIST_FOREACH(variable, head, field) \
  for ((variable) = LIST_FIRST(head); (variable); (variable) = LIST_NEXT(variable, field))

/* Singly linked queues with a pointer to their last link. */
#define STAILQ_HEAD(name, type) \
  struct name { \
    struct type *stqh_first; \
    struct type **stqh_last; \
  }
#define STAILQ_HEAD_INITIALIZER(head) {NULL, &(head).stqh_first}
#define STAILQ_ENTRY(type) \
  struct { \
    struct type *stqe_next; \
  }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(element, field) ((element)->field.stqe_next)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == NULL)
#define STAILQ_INIT(head) \
  do { \
    STAILQ_FIRST(head) = NULL; \
    (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define STAILQ_INSERT_HEAD(head, element, field) \
  do { \
    if ((STAILQ_NEXT(element, field) = STAILQ_FIRST(head)) == NULL) \
      (head)->stqh_last = &STAILQ_NEXT(element, field); \
    STAILQ_FIRST(head) = (element); \
  } while (0)
#define STAILQ_INSERT_TAIL(head, element, field) \
  do { \
    STAILQ_NEXT(element, field) = NULL; \
    *(head)->stqh_last = (element); \
    (head)->stqh_last = &STAILQ_NEXT(element, field); \
  } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
  do { \
    if ((STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field)) == NULL) \
      (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define STAILQ_FOREACH(variable, head, field) \
  for ((variable) = STAILQ_FIRST(head); (variable); (variable) = STAILQ_NEXT(variable, field))

/* Queues that are linked both ways, with a pointer to their last link. */
#define TAILQ_HEAD(name, type) \
  struct name { \
    struct type *tqh_first; \
    struct type **tqh_last; \
  }
#define TAILQ_HEAD_INITIALIZER(head) {NULL, &(head).tqh_first}
#define TAILQ_ENTRY(type) \
  struct { \
    struct type *tqe_next; \
    struct type **tqe_prev; \
  }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(element, field) ((element)->field.tqe_next)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == NULL)
#define TAILQ_INIT(head) \
  do { \
    TAILQ_FIRST(head) = NULL; \
    (head)->tqh_last = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_INSERT_HEAD(head, element, field) \
  do { \
    if ((TAILQ_NEXT(element, field) = TAILQ_FIRST(head)) != NULL) \
      TAILQ_FIRST(head)->field.tqe_prev = &TAILQ_NEXT(element, field); \
    else \
      (head)->tqh_last = &TAILQ_NEXT(element, field); \
    TAILQ_FIRST(head) = (element); \
    (element)->field.tqe_prev = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_INSERT_TAIL(head, element, field) \
  do { \
    TAILQ_NEXT(element, field) = NULL; \
    (element)->field.tqe_prev = (head)->tqh_last; \
    *(head)->tqh_last = (element); \
    (head)->tqh_last = &TAILQ_NEXT(element, field); \
  } while (0)
#define TAILQ_INSERT_AFTER(head, place, element, field) \
  do { \
    if ((TAILQ_NEXT(element, field) = TAILQ_NEXT(place, field)) != NULL) \
      TAILQ_NEXT(element, field)->field.tqe_prev = &TAILQ_NEXT(element, field); \
    else \
      (head)->tqh_last = &TAILQ_NEXT(element, field); \
    TAILQ_NEXT(place, field) = (element); \
    (element)->field.tqe_prev = &TAILQ_NEXT(place, field); \
  } while (0)
#define TAILQ_INSERT_BEFORE(place, element, field) \
  do { \
    (element)->field.tqe_prev = (place)->field.tqe_prev; \
    TAILQ_NEXT(element, field) = (place); \
    *(place)->field.tqe_prev = (element); \
    (place)->field.tqe_prev = &TAILQ_NEXT(element, field); \
  } while (0)
#define TAILQ_REMOVE(head, element, field) \
  do { \
    if (TAILQ_NEXT(element, field) != NULL) \
      TAILQ_NEXT(element, field)->field.tqe_prev = (element)->field.tqe_prev; \
    else \
      (head)->tqh_last = (element)->field.tqe_prev; \
    *(element)->field.tqe_prev = TAILQ_NEXT(element, field); \
  } while (0)
#define TAILQ_FOREACH(variable, head, field) \
  for ((variable) = TAILQ_FIRST(head); (variable); (variable) = TAILQ_NEXT(variable, field))

#endif
