/// How much of a source a draft looks at.
///
/// What a draft says must be true of what was looked at. All sizes stand here, so that a test can make them as small as
/// it likes.
package struct DraftLimits: Sendable {
    /// The records of a sample: as many as a batch of an import has.
    var records = RecordBatch.Limits(rows: 1000, bytes: 1 << 20)
    /// The bytes of a document in which its records are searched: what comes later is not looked at.
    var searchedBytes = 4 << 20
    /// The events of a property list in which its records are searched.
    var searchedEvents = 500_000
    /// The keys that may lead to the records of a document.
    var recordDepth = 6
    /// Members of an object with more keys are told apart by the first of them.
    var comparedKeys = 100
    /// The paths of elements that are told apart in an XML document.
    var elementPaths = 2000
    /// The different values that are kept of a column: more say nothing new about their form.
    var values = 1000
    /// The bytes that are kept of a column: a thousand columns take 32 MiB.
    var valueBytes = 32 << 10
    /// The fields of a part: objects whose keys are data have no end of keys.
    var fields = 500
    /// Deeper parts become no objects in a draft.
    var partDepth = 12
    /// Objects further down are rarely keyed by ids, and each level would be sampled twice.
    var memberDepth = 3
    /// The arrays in arrays whose items are looked at.
    var arrayDepth = 4
    /// The values that may be attributes of a record: one with more is not a row of anything.
    package var candidates = 2000
    /// Parts that are deeper in parts are rarely single values of a record.
    package var candidateDepth = 4
    /// Parts in parts in parts are rarely objects of their own.
    package var objectDepth = 4

    package init() {}
}
