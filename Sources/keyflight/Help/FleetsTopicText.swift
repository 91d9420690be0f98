/// The text of `keyflight help fleets`.
extension HelpTopic {
    static let fleetsText = """
        Fleets: thousands of traces and more, keyflight fleet
          keyflight fleet ingest Sessions -o Lake --allow-ids ids.txt
          keyflight fleet compare Lake 4.1 4.2 --within layout --format json
          keyflight fleet compare Lake 0a41c0de 0a42c0de --by vcs_ref_head_revision --self-test 200
          keyflight fleet report Lake -o fleet.html
          keyflight query Lake "SELECT service_version, count(*) FROM sessions GROUP BY ALL" --format csv

        A lake is a folder of Parquet files (zstd) with the tables sessions, histograms and chords of keyflight help
        tables, for DuckDB, Spark, polars and pandas:
          Lake/table=sessions/date=2026-11-23/part-000001.parquet
          Lake/table=histograms/date=2026-11-23/service_version=4.2/part-000001-0.parquet
        date is the day of the ingest. Each batch of an ingest is there as soon as its sessions are: the rename of their
        file is the commit, and rows of other tables whose trace_id and batch no session has do not count. A trace is
        read once by each version of keyflight; of a trace that was read twice the rows of the last batch count. What is
        not ok is in quarantine: a row of sessions with its status and reason; the file itself stays where it is. A file
        that cannot be opened has no row, and is tried again. session_key is in no lake, and the key that sample_id is
        made with is in Lake/pseudonym.key: a reader of a copy of the tables does not need it. An ingest writes through
        no link: a link inside of a lake is refused by its name, and so is a folder that everybody writes to. What no
        keyflight writes (a column of another type, lists of two lengths) is named with its file, 2.

        query asks one SELECT of DuckDB about sessions, histograms, chords and histogram_buckets (a row for each
        bucket); without SQL it lists them. It changes nothing and reads only the Parquet files of the lake: functions
        that read other files, extensions and settings are refused.

        compare takes the logarithm of the mean time of each call of a responder and of each stage, total among them, in
        each session. A cell is a call or a stage on one system (--within). Its two groups are compared device by
        device, weighed by their sessions, so that another mix of devices is no change. absolute has the change itself;
        relative that against the mean of the session's other calls, which share the speed of their device, and decides
        where there are two others. A change of everything cancels out there: it is in the rows (all). The others are
        calls that both versions have, each against its own mean, so that a new slow call does not make the rest look
        faster. Stages contain calls and each other: they are compared in absolute terms. What only one version has,
        with 10 samples or more, is a line "not compared" and an object of not_compared in JSON, and the status is 4: 0
        means that all was compared. Errors are those of a jackknife that leaves out one of at most 100 samples of
        installations at a time, since sessions of one user are not independent; p has Holm's correction over all cells
        and is called a change below 1 %. A call that is called changed is taken out of the others, which would seem to
        have changed the other way. detectable is the least change that would be found in 80 of 100 cases. p95 needs 20
        calls and p99 100; percentiles are at most 0.8 % off. Cells of fewer than 10 samples of installations in either
        version are left out and counted. --self-test deals the same sessions out by lot, one by one and by samples in
        turn, and says how often something is called changed that cannot be.

        In Python, with PYTHONPATH=PREFIX/share/keyflight/python, rows of traces without a lake:
          reader = keyflight.read(paths, "histograms", keyflight.Options(allow_ids="ids.txt", pseudonym_key="key"))
          duckdb.from_arrow(reader.record_batch_reader())
        keyflight.query("quantiles") is one of five queries, the same text for DuckDB and Spark; keyflight.spark has the
        data source spark.read.format("keyflight"). A cluster runs the job that makes a lake of one day's folder, and
        replaces that day when it runs again:
          spark-submit PREFIX/share/keyflight/python/keyflight/spark_job.py /traces/2026-11-23 /lake 2026-11-23 \\
            --program /shared/keyflight --allow-ids ids.txt --pseudonym-key key
        Workers need the folder of the traces, keyflight for their architecture, and a Python with PyArrow and this
        package (PYSPARK_PYTHON, PYTHONPATH). Copies of a trace have one size, and files of one size go to one
        partition, which finds them. Large traces come first: one of 200 MB is one task.

        """
        + fleetsScaleText
}
