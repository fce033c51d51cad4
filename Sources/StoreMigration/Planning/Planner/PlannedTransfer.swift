import MappingModels

/// What a mapping comes to over the rows of a store.
struct PlannedTransfer {
    let mappingModel: MappingModel

    /// nil if the mapping cannot be carried out; the findings say why.
    var transfer: StoreTransfer?

    /// Works the transfers out again where tables have other names; nil if objects are recreated.
    var builder: TransferBuilder?

    /// What follows the objects outside their tables; nil if there is no transfer.
    var references: EntityReferences?

    /// What of the data would break, or stays behind.
    var findings: [MigrationFinding] = []

    /// nil if rows are counted when the program is known: mostly none need be.
    var rows: RowCounts?
}
