// What the user knows of: suppressed findings, and an answer that is accepted.

#include "report/json.h"

static json_t *object_of(const Diagnosis *diagnosis, const Excuse *excuse) {
  const Suppression *by = excuse->by;
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "kind",
      json_text(verdict_name(excuse->kind)), "sentence",
      json_text(excuse->sentence), "array", json_text(excuse->array), "where",
      json_place(excuse->where, diagnosis->file), "other",
      json_place(excuse->other, diagnosis->file), "reason",
      json_text(by->reason), "by", by->is_in_source ? "source" : "list",
      "by_where", json_place(by->where, diagnosis->file));
}

json_t *json_suppressed(const Diagnosis *diagnosis, const Verdict *verdict,
                        VerdictKind kind) {
  json_t *list = json_array();
  for (size_t i = 0; verdict && i < verdict->excuses.count; i++)
    json_array_append_new(list, object_of(diagnosis, &verdict->excuses.at[i]));
  const Excuse all = {.kind = kind,
                      .sentence = diagnosis->reason,
                      .where = diagnosis->reason_where,
                      .by = diagnosis->accepted};
  if (diagnosis->accepted)
    json_array_append_new(list, object_of(diagnosis, &all));
  return list;
}
