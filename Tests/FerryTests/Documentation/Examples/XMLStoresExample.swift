import XMLStores

/// How many objects of each entity an XML store has. Memory does not grow with the file.
func objectCounts(inXMLStore path: String) throws -> [String: Int] {
    let reader = try XMLStoreReader(path: path)
    var counts: [String: Int] = [:]
    while let object = try reader.next() {
        counts[object.type, default: 0] += 1
    }
    return counts
}
