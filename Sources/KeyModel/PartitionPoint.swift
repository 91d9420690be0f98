extension Range<Int> {
    /// The end of the numbers at the beginning that belong, behind which none does. A look per halving.
    @inlinable package func partitionPoint(_ belongs: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if belongs(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
