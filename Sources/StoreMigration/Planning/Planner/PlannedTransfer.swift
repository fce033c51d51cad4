import MappingModels

/// The transfer of a mapping over the rows of a store, with its findings.
struct PlannedTransfer {
    let mappingModel: MappingModel

    /// The transfer; nil if the mapping cannot be executed, for reasons in the findings.
    var transfer: StoreTransfer?

    /// Computes the transfers again if tables have other names; nil if objects are recreated.
    var builder: TransferBuilder?

    /// The references to objects outside of their tables; nil if there is no transfer.
    var references: EntityReferences?

    /// The findings about data that would break or be dropped.
    var findings: [MigrationFinding] = []

    /// The counted rows; nil if rows are counted when the program is known, because usually none must be counted.
    var rows: RowCounts?
}
