/// How much of a source is examined for a draft.
///
/// A draft must be correct for the data that were examined. All limits are kept here, so that tests can set them to
/// small values.
package struct DraftLimits: Sendable {
    /// The number of records in a sample: as many as in a batch of an import.
    var records = RecordBatch.Limits(rows: 1000, bytes: 1 << 20)
    /// The number of bytes of a document that are searched for its records.
    var searchedBytes = 4 << 20
    /// The number of events of a property list that are searched for its records.
    var searchedEvents = 500_000
    /// The largest number of keys that lead to the records of a document.
    var recordDepth = 6
    /// The number of keys by which the members of an object are compared.
    var comparedKeys = 100
    /// The number of element paths in an XML document that are distinguished.
    var elementPaths = 2000
    /// The number of different values of a column that are kept; more would not reveal more about their form.
    var values = 1000
    /// The number of bytes that are kept for a column; a thousand columns take 32 MiB.
    var valueBytes = 32 << 10
    /// The number of fields of a part; objects that use data as keys may have any number of keys.
    var fields = 500
    /// The depth down to which parts become objects in a draft.
    var partDepth = 12
    /// The depth down to which objects may have IDs as keys; deeper ones are rare, and each level would be sampled
    /// twice.
    var memberDepth = 3
    /// The depth of nested arrays whose items are examined.
    var arrayDepth = 4
    /// The number of values that may be attributes of a record; a record with more values is not a row.
    package var candidates = 2000
    /// The depth down to which parts are considered as single values of a record.
    package var candidateDepth = 4
    /// The depth down to which parts are considered as objects.
    package var objectDepth = 4

    package init() {}
}
