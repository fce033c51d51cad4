extension MigrationFinding {
    /// The stable codes of all findings, in alphabetical order (docs/findings.md).
    public static let codes: [String] = [
        "attribute-type-changed", "attributes-not-kept", "became-abstract", "custom-stage-not-run", "damaged-store",
        "dangling-reference", "data-not-checked", "decimal-rounded", "derived-attribute-without-trigger",
        "destination-narrowed", "expression-fails",
        "expression-not-supported", "external-data-inlined", "external-data-missing", "external-data-unused",
        "filter-not-supported",
        "hard-links", "history-changes-removed", "history-columns-forgotten", "history-dropped", "history-renumbered",
        "import-interrupted", "index-left-out", "index-lost", "indexes-dropped", "invalid-object",
        "invalid-object-copied", "journal-mode-kept", "links-left", "log-not-folded-in", "mapping-invalid",
        "mapping-type-mismatch", "merged-hierarchies", "mirroring-keys-change", "mirroring-numbers-change",
        "missing-relationship", "missing-required-value", "no-common-entity", "not-durable", "number-narrowed",
        "objects-dropped", "objects-kept", "policy-unknown", "rule-not-checked", "schema-mismatch", "several-sources",
        "several-versions", "shared-destinations", "shared-renaming-identifier", "shared-uuid", "step-fails",
        "survivors-differ", "table-in-the-way",
        "to-many-became-to-one", "too-many-columns", "trigger-lost", "triggers-dropped", "uniqueness-violated",
        "unknown-entity-number", "unknown-tables", "unproven-version-hash", "value-out-of-range", "values-dropped",
        "versions-keep-more", "versions-lead-there", "view-lost", "virtual-table",
    ]
}
